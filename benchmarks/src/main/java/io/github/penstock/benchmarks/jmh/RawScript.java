package io.github.penstock.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A floor's script, sent by the client's own means, with keys as long as a decision's. Safe for use
 * by several threads.
 */
final class RawScript {
  private final Session session;
  private final String sha1;
  private final byte[][][] keys;
  private final byte[][] arguments;

  /** Of a floor, on as many keys as the workload has subjects. */
  RawScript(Floor floor, Session session, Target target, Workload workload) {
    this.session = session;
    session.load(floor.source());
    sha1 = Floor.sha1(floor.source());
    keys = Floor.keys(target, workload);
    arguments = Floor.arguments();
  }

  /** One call; true, so that it decides as a limiter does. */
  boolean send(int subject) {
    return session.evalsha(sha1, keys[subject], arguments) != null;
  }

  /** One call without waiting for its answer. */
  CompletionStage<?> begin(int subject) {
    return session.evalshaAsync(sha1, keys[subject], arguments);
  }

  /** One call for each of the next subjects, sent together. */
  void sendAll(Walk walk, int size) {
    List<byte[][]> together = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      together.add(keys[walk.next()]);
    }
    session.evalshaAll(sha1, together, arguments);
  }
}
