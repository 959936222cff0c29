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
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * One charge per call, and an end within the deadline, whatever the network does; and once it works
 * again, so do the calls.
 */
abstract class FaultRules {
  private static final Duration DEADLINE = Duration.ofMillis(500);
  private static final int THREADS = 16;

  private final ServerProcess server = Deployments.process();
  private final FaultProxy proxy = FaultProxy.before(server.url());
  private final String policy = Trial.unique();
  private RateLimiters limiters;

  abstract RateLimiterCompatibilityTest suite();

  @BeforeEach
  final void connect() {
    limiters = connect(proxy.url(), DEADLINE);
  }

  private RateLimiters connect(RedisUrl url, Duration deadline) {
    RateLimiterOptions options = Trial.OPTIONS.deadline(deadline);
    return Trial.connect(suite(), new Endpoint.Single(url), options);
  }

  @AfterEach
  final void close() {
    proxy.close();
    server.close();
    if (limiters != null) {
      limiters.close();
    }
  }

  @Test
  @DisplayName("one charge per call when replies are dropped after execution")
  void repliesDropped() throws InterruptedException {
    check("replies dropped after execution", Fault.REPLY_DROPPED);
  }

  @Test
  @DisplayName("one charge per call when connections are cut after execution")
  void connectionsCut() throws InterruptedException {
    check("connections cut after execution", Fault.CUT);
  }

  @Test
  @DisplayName("one charge per call when a single connection is cut after execution")
  void oneConnectionCut() throws InterruptedException {
    check("one connection cut after execution", Fault.CUT.onlyFor(3));
  }

  @Test
  @DisplayName("one charge per call when replies are later than the deadline")
  void repliesLate() throws InterruptedException {
    check("replies later than the deadline", Fault.delayed(DEADLINE.multipliedBy(2)));
  }

  @Test
  @DisplayName("one charge per call when nothing passes any more")
  void blackHole() throws InterruptedException {
    check("nothing passes", Fault.BLACK_HOLE);
  }

  @Test
  @DisplayName("one charge per call when connections are refused")
  void refused() throws InterruptedException {
    check("connections refused", Fault.REFUSED);
  }

  @Test
  @DisplayName("one charge per call when the server is stopped for 5 s, with 64 threads")
  void stopped() throws InterruptedException {
    limiters.close();
    limiters = connect(server.url(), Duration.ofSeconds(1));
    Duration away = Duration.ofSeconds(5);
    check("server stopped for 5 s", 64, Duration.ofSeconds(1), away, server::freeze, server::thaw);
  }

  private void check(String name, Fault fault) throws InterruptedException {
    Duration away = Duration.ofMillis(1_500);
    check(name, THREADS, DEADLINE, away, () -> proxy.set(fault), () -> proxy.set(Fault.NONE));
  }

  private void check(
      String name, int threads, Duration deadline, Duration away, Runnable begin, Runnable end)
      throws InterruptedException {
    RateLimiter limiter = limiters.limiter(policy, Charges.LIMIT);
    try (Load load = Load.onManySubjects(threads, limiter::tryAcquire)) {
      long calm = load.untilCalm();
      long begun = System.nanoTime();
      begin.run();
      load.during(away);
      end.run();
      long gone = System.nanoTime();
      List<Load.Call> calls = load.finishCalm();
      Map<String, Long> charges = charges(calls);
      CaseResult result =
          CaseResult.of(
              new CaseResult.Scene(
                  suite().client(),
                  server.version(),
                  name,
                  threads,
                  deadline,
                  gone,
                  load.longestStallNanos()),
              calls,
              charges);
      CaseResults.keep(result);
      OneCharge.check(calls, charges);
      Deadlines.check(result);
      Load.expectNone(
          "failed before anything was wrong", calls, call -> call.failedWithin(calm, begun));
      assertThat(result.errors()).as("calls that failed while %s", name).isPositive();
    }
  }

  private Map<String, Long> charges(List<Load.Call> calls) {
    try (DirectCommands commands = new SingleServer(server).commands()) {
      return Charges.of(calls, policy, commands);
    }
  }
}
