package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.faults.Fault;
import io.github.penstock.compat.faults.FaultProxy;
import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.compat.topology.Deployments;
import io.github.penstock.compat.topology.DirectCommands;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.compat.topology.SingleServer;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One adapter and a server of its own, with a proxy between them: makes a load, lets something go
 * wrong for a while, and holds what became of the calls against the rules.
 */
final class FaultTrial implements AutoCloseable {
  /** How long a call may take while the proxy makes a fault. */
  static final Duration DEADLINE = Duration.ofMillis(500);

  private static final Duration AWAY = Duration.ofMillis(1_500);
  private static final Duration DEADLINE_WHEN_STOPPED = Duration.ofSeconds(1);
  private static final int THREADS = 16;

  /* One of each thread when the connections are cut, and one more where a pool has another. */
  private static final long MOST_IN_FLIGHT = 2 * THREADS;

  private final RateLimiterCompatibilityTest suite;
  private final Style style;
  private final ServerProcess server = Deployments.process();
  private final FaultProxy proxy = FaultProxy.before(server.url());
  private final String policy = Trial.unique();

  /** How the calls of a load are made, each for the subject it is given. */
  @FunctionalInterface
  interface Style {
    Function<String, Decision> calls(RateLimiters limiters, String policy);
  }

  FaultTrial(RateLimiterCompatibilityTest suite, Style style) {
    this.suite = suite;
    this.style = style;
  }

  /** A fault of the proxy. */
  CaseResult check(String name, Fault fault) throws InterruptedException {
    try (RateLimiters limiters = connect(proxy.url(), DEADLINE)) {
      return check(
          new Case(name, THREADS, DEADLINE, AWAY),
          limiters,
          () -> proxy.set(fault),
          () -> proxy.set(Fault.NONE));
    }
  }

  /** Connections that fall silent for good, where new ones work at once. */
  void checkSilence(String name) throws InterruptedException {
    try (RateLimiters limiters = connect(proxy.url(), DEADLINE)) {
      check(
          new Case(name, THREADS, DEADLINE, Duration.ZERO),
          limiters,
          () -> proxy.set(Fault.SILENT),
          () -> {});
    }
  }

  /** Connections that are refused: only what was in flight may have been charged. */
  void checkRefused(String name) throws InterruptedException {
    CaseResult result = check(name, Fault.REFUSED);
    if (suite.provesNotSent()) {
      assertThat(result.unknown())
          .as("failed calls that may have been charged while no connection could be had")
          .isLessThanOrEqualTo(MOST_IN_FLIGHT);
    }
  }

  /** A server that is stopped, and stays connected. */
  void checkStopped(String name, int threads, Duration away) throws InterruptedException {
    try (RateLimiters limiters = connect(server.url(), DEADLINE_WHEN_STOPPED)) {
      Case stopped = new Case(name, threads, DEADLINE_WHEN_STOPPED, away);
      check(stopped, limiters, server::freeze, server::thaw);
    }
  }

  private record Case(String name, int threads, Duration deadline, Duration away) {}

  private RateLimiters connect(RedisUrl url, Duration deadline) {
    RateLimiterOptions options = Trial.OPTIONS.deadline(deadline);
    return Trial.connect(suite, new Endpoint.Single(url), options);
  }

  private CaseResult check(Case wrong, RateLimiters limiters, Runnable begin, Runnable end)
      throws InterruptedException {
    try (Load load = Load.onManySubjects(wrong.threads, style.calls(limiters, policy))) {
      long calm = load.untilCalm();
      long begun = System.nanoTime();
      begin.run();
      load.during(wrong.away);
      end.run();
      long gone = System.nanoTime();
      List<Load.Call> calls = load.finishCalm();
      Map<String, Long> charges = charges(calls);
      CaseResult result = CaseResult.of(scene(wrong, gone, load), calls, charges);
      CaseResults.keep(result);
      OneCharge.check(calls, charges);
      Deadlines.check(result, suite.longestRecovery());
      Load.expectNone(
          "failed before anything was wrong", calls, call -> call.failedWithin(calm, begun));
      assertThat(result.errors()).as("calls that failed while %s", wrong.name).isPositive();
      return result;
    }
  }

  private CaseResult.Scene scene(Case wrong, long goneNanos, Load load) {
    return new CaseResult.Scene(
        suite.client(),
        server.version(),
        wrong.name,
        wrong.threads,
        wrong.deadline,
        goneNanos,
        load.longestStallNanos());
  }

  private Map<String, Long> charges(List<Load.Call> calls) {
    try (DirectCommands commands = new SingleServer(server).commands()) {
      return Charges.of(calls, policy, commands);
    }
  }

  @Override
  public void close() {
    proxy.close();
    server.close();
  }
}
