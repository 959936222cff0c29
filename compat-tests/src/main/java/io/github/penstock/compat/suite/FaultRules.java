package io.github.penstock.compat.suite;

import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.testkit.fault.NetworkFault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * One charge per call, and an end within the deadline, whatever the network does; and once it works
 * again, so do the calls.
 */
abstract class FaultRules {
  private FaultTrial trial;

  abstract RateLimiterCompatibilityTest suite();

  @BeforeEach
  final void start() {
    trial =
        new FaultTrial(
            suite(), (limiters, policy) -> limiters.limiter(policy, ChargeCount.LIMIT)::tryAcquire);
  }

  @AfterEach
  final void close() {
    trial.close();
  }

  @Test
  @DisplayName("one charge per call when replies are dropped after execution")
  void repliesDropped() throws InterruptedException {
    trial.check("replies dropped after execution", NetworkFault.REPLY_DROPPED);
  }

  @Test
  @DisplayName("one charge per call when connections are cut after execution")
  void connectionsCut() throws InterruptedException {
    trial.check("connections cut after execution", NetworkFault.CUT);
  }

  @Test
  @DisplayName("one charge per call when a single connection is cut after execution")
  void oneConnectionCut() throws InterruptedException {
    trial.check("one connection cut after execution", NetworkFault.CUT.onlyFor(3));
  }

  @Test
  @DisplayName("one charge per call when replies are later than the deadline")
  void repliesLate() throws InterruptedException {
    NetworkFault late = NetworkFault.delayed(FaultTrial.DEADLINE.multipliedBy(2));
    trial.check("replies later than the deadline", late);
  }

  @Test
  @DisplayName("one charge per call when nothing passes any more")
  void blackHole() throws InterruptedException {
    trial.check("nothing passes", NetworkFault.BLACK_HOLE);
  }

  @Test
  @DisplayName("a connection that falls silent for good is replaced, where new ones work")
  void silence() throws InterruptedException {
    trial.checkSilence("old connections silent for good");
  }

  @Test
  @DisplayName("one charge per call when connections are refused")
  void refused() throws InterruptedException {
    trial.checkRefused("connections refused");
  }

  @Test
  @DisplayName("one charge per call when the server is stopped for 5 s, with 64 threads")
  void stopped() throws InterruptedException {
    trial.checkStopped("server stopped for 5 s", 64, Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("the deadline holds when more threads call a stopped server than a pool has room")
  void poolExhausted() throws InterruptedException {
    trial.checkStopped("server stopped for 3 s, pool exhausted", 160, Duration.ofSeconds(3));
  }
}
