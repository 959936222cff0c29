package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.CaseBounds;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.DistinctSubjects;
import io.github.penstock.compat.load.FaultCaseContext;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.load.StallWatch;
import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.FaultCase;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.DirectCommands;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.SharedDeployments;
import io.github.penstock.testkit.topology.StandaloneServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One adapter and a separate server, with a proxy between them: makes a load, causes a failure for
 * a while, and compares the outcomes of the calls with the rules.
 */
final class FaultTrial implements AutoCloseable {
  /** How long a call may take while the proxy makes a fault. */
  static final Duration DEADLINE = Duration.ofMillis(500);

  private static final Duration AWAY = Duration.ofMillis(1_500);
  private static final Duration DEADLINE_WHEN_STOPPED = Duration.ofSeconds(1);
  private static final int THREADS = 16;

  /* One of each thread when the connections are cut, and one more where a pool has another. */
  private static final int MOST_IN_FLIGHT = 2 * THREADS;

  private final FaultRules rules;
  private final RateLimiterCompatibilityTest suite;
  private final ServerProcess server = SharedDeployments.process();
  private final FaultProxy proxy = FaultProxy.before(server.url());
  private final String policy = AdapterTrial.unique();

  /** A trial of the calls that rules make. */
  FaultTrial(FaultRules rules) {
    this.rules = rules;
    suite = rules.suite();
  }

  /** A fault of the proxy. */
  CaseRun check(FaultCase fault, Consumer<FaultProxy> begin) throws InterruptedException {
    try (RateLimiters limiters = connect(proxy.url(), DEADLINE)) {
      return run(
          new Case(fault, THREADS, DEADLINE, AWAY, true, true),
          limiters,
          () -> begin.accept(proxy),
          () -> proxy.set(NetworkFault.NONE));
    }
  }

  /**
   * Connections that fall silent for good, where new ones work at once. A client that keeps silent
   * connections has nothing to recover from; its calls are watched for as long as a fault goes on.
   */
  void checkSilence() throws InterruptedException {
    boolean recovers = suite.replacesSilentConnections();
    Duration away = recovers ? Duration.ZERO : AWAY;
    try (RateLimiters limiters = connect(proxy.url(), DEADLINE)) {
      run(
          new Case(FaultCase.SILENT_CONNECTIONS, THREADS, DEADLINE, away, recovers, true),
          limiters,
          () -> proxy.set(NetworkFault.SILENT),
          () -> {});
    }
  }

  /** One connection that is cut: only its calls in flight fail; others wait for another. */
  void checkOneCut() throws InterruptedException {
    CaseRun run = check(FaultCase.ONE_CONNECTION_CUT, now -> now.setOnce(NetworkFault.CUT, 3));
    List<LoadCall> atOnce =
        run.calls.stream()
            .filter(call -> call.failed() && call.endNanos() > run.begunNanos)
            .filter(call -> !CaseBounds.waitedToTheEnd(call, DEADLINE))
            .toList();
    assertThat(atOnce)
        .as("calls of %d that failed before their deadline", run.calls.size())
        .hasSizeLessThanOrEqualTo(THREADS)
        .allMatch(call -> call.mayHaveBeenCharged() || !suite.provesNotSent());
  }

  /** Connections that are refused: only calls in flight may have been charged. */
  void checkRefused() throws InterruptedException {
    CaseRun run = check(FaultCase.CONNECTIONS_REFUSED, now -> now.set(NetworkFault.REFUSED));
    if (suite.provesNotSent()) {
      assertThat(run.calls.stream().filter(call -> call.mayHaveBeenCharged() && run.ended(call)))
          .as("failed calls that may have been charged while no connection could be had")
          .hasSizeLessThanOrEqualTo(MOST_IN_FLIGHT);
    }
  }

  /** A server that is stopped, and stays connected. */
  void checkStopped(FaultCase fault, int threads, Duration away) throws InterruptedException {
    Case stopped = new Case(fault, threads, DEADLINE_WHEN_STOPPED, away, true, true);
    away(stopped, server::freeze, server::thaw);
  }

  /** A server that ends and is started again without the charges that it had. */
  void checkRestarted() throws InterruptedException {
    Case restarted =
        new Case(FaultCase.SERVER_RESTARTED, THREADS, DEADLINE_WHEN_STOPPED, AWAY, true, false);
    away(restarted, server::stop, server::restart);
  }

  private void away(Case wrong, Runnable begin, Runnable end) throws InterruptedException {
    try (RateLimiters limiters = connect(server.url(), wrong.deadline)) {
      run(wrong, limiters, begin, end);
    }
  }

  private record Case(
      FaultCase fault,
      int threads,
      Duration deadline,
      Duration away,
      boolean recovers,
      boolean keepsCharges) {
    /** One that begins and one that follows a failure, unless the failure is permanent. */
    int callsMeanwhile() {
      return away.isZero() ? 0 : 2;
    }
  }

  record CaseRun(
      FaultCaseContext scene,
      List<LoadCall> calls,
      StallWatch stalls,
      long begunNanos,
      long goneNanos) {
    /** True if the call ended while something was wrong, and not because the machine stalled. */
    boolean ended(LoadCall call) {
      return call.endNanos() > begunNanos
          && call.endNanos() < goneNanos
          && !scene.isOfTheMachine(call, stalls);
    }
  }

  private RateLimiters connect(RedisUrl url, Duration deadline) {
    RateLimiterOptions options =
        AdapterTrial.OPTIONS.toBuilder().deadline(deadline).onOverload(OnOverload.THROW).build();
    return AdapterTrial.connect(suite, new ServerEndpoint.Single(url), options);
  }

  private CaseRun run(Case wrong, RateLimiters limiters, Runnable begin, Runnable end)
      throws InterruptedException {
    AdapterTrial.awaitConnection(limiters);
    try (CallLoad load = CallLoad.onManySubjects(wrong.threads, rules.calls(limiters, policy))) {
      load.awaitCalm();
      long begun = System.nanoTime();
      begin.run();
      load.during(wrong.away, wrong.callsMeanwhile());
      end.run();
      long gone = System.nanoTime();
      if (wrong.recovers) {
        load.awaitCalm();
      }
      FaultCaseContext scene =
          new FaultCaseContext(
              suite.client(),
              server.version(),
              wrong.fault,
              rules.asynchronous(),
              wrong.threads,
              wrong.deadline);
      CaseRun run = new CaseRun(scene, load.finish(), load.stalls(), begun, gone);
      check(wrong, run);
      return run;
    }
  }

  private void check(Case wrong, CaseRun run) {
    Map<String, Long> charges = wrong.keepsCharges ? charges(run.calls) : null;
    CaseResult result = run.scene.result(run.calls, charges, null, run.goneNanos, run.stalls);
    CaseResultFile.keep(result);
    if (charges != null) {
      DistinctSubjects.check(run.calls, charges);
    }
    if (wrong.recovers) {
      CaseBounds.check(result);
    } else {
      CaseBounds.checkSlowest(result);
    }
    assertThat(result.errors()).as("calls that failed while %s", wrong.fault.text()).isPositive();
  }

  private Map<String, Long> charges(List<LoadCall> calls) {
    try (DirectCommands commands = new StandaloneServer(server).commands()) {
      return ChargeCount.of(calls, policy, commands);
    }
  }

  @Override
  public void close() {
    proxy.close();
    server.close();
  }
}
