package io.github.penstock.compat.suite;

import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.result.FaultCase;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link FaultRules} for blocking calls, and the faults that need no asynchronous twin. */
abstract class BlockingFaultRules extends FaultRules {
  @Override
  final Function<String, Decision> calls(RateLimiters limiters, String policy) {
    return limiters.limiter(policy, ChargeCount.LIMIT)::tryAcquire;
  }

  @Override
  final boolean asynchronous() {
    return false;
  }

  @Test
  @DisplayName(
      "a single connection is cut after execution: one charge, and only calls in flight on it fail")
  void oneConnectionCut() throws InterruptedException {
    trial.checkOneCut();
  }

  @Test
  @DisplayName("one charge per call when the server is stopped for 5 s, with 64 threads")
  void stopped() throws InterruptedException {
    trial.checkStopped(FaultCase.SERVER_STOPPED, 64, Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("a restart under load fails calls only while the server is away")
  void restarted() throws InterruptedException {
    trial.checkRestarted();
  }
}
