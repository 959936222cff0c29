package io.github.penstock.compat.suite;

import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.StageResults;
import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.testkit.fault.NetworkFault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link FaultRules} for calls that answer with stages. */
abstract class AsyncFaultRules {
  private FaultTrial trial;

  abstract RateLimiterCompatibilityTest suite();

  @BeforeEach
  final void start() {
    trial =
        new FaultTrial(
            suite(),
            (limiters, policy) -> {
              var limiter =
                  AdapterTrial.async(suite(), limiters).asyncLimiter(policy, ChargeCount.LIMIT);
              return subject -> StageResults.value(limiter.tryAcquire(subject));
            });
  }

  @AfterEach
  final void close() {
    trial.close();
  }

  private void check(String name, NetworkFault fault) throws InterruptedException {
    trial.check(name + CaseResult.ASYNCHRONOUS, fault);
  }

  @Test
  @DisplayName("one charge per call when replies are dropped after execution")
  void repliesDropped() throws InterruptedException {
    check("replies dropped after execution", NetworkFault.REPLY_DROPPED);
  }

  @Test
  @DisplayName("one charge per call when connections are cut after execution")
  void connectionsCut() throws InterruptedException {
    check("connections cut after execution", NetworkFault.CUT);
  }

  @Test
  @DisplayName("one charge per call when replies are later than the deadline")
  void repliesLate() throws InterruptedException {
    NetworkFault late = NetworkFault.delayed(FaultTrial.DEADLINE.multipliedBy(2));
    check("replies later than the deadline", late);
  }

  @Test
  @DisplayName("one charge per call when nothing passes any more")
  void blackHole() throws InterruptedException {
    check("nothing passes", NetworkFault.BLACK_HOLE);
  }

  @Test
  @DisplayName("a connection that falls silent for good is replaced, where new ones work")
  void silence() throws InterruptedException {
    trial.checkSilence("old connections silent for good" + CaseResult.ASYNCHRONOUS);
  }

  @Test
  @DisplayName("one charge per call when connections are refused")
  void refused() throws InterruptedException {
    trial.checkRefused("connections refused" + CaseResult.ASYNCHRONOUS);
  }

  @Test
  @DisplayName("the deadline holds when more calls wait for a stopped server than a pool has room")
  void poolExhausted() throws InterruptedException {
    String name = "server stopped for 3 s, pool exhausted" + CaseResult.ASYNCHRONOUS;
    trial.checkStopped(name, 160, Duration.ofSeconds(3));
  }
}
