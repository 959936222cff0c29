package io.github.penstock.benchmarks.jmh;

import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * What a benchmark needs for a trial: a server, a client on it, and for one thread one processor.
 */
final class Arena implements AutoCloseable {
  private final Target target = Target.find();
  private final Session session;
  private final OneProcessor processor;

  Arena(Client client, BenchmarkParams parameters) {
    processor = parameters.getThreads() == 1 ? OneProcessor.bind(target) : null;
    session = client.open(target);
  }

  Target target() {
    return target;
  }

  Session session() {
    return session;
  }

  @Override
  public void close() {
    session.close();
    if (processor != null) {
      processor.close();
    }
    target.close();
  }
}
