package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Units that a process takes with it. */
@Tag(LoadTest.ONCE)
public abstract class KilledProcessRules extends NearRules {
  @Test
  @DisplayName("L4 a process that is killed takes no more with it than the lease that it holds")
  void killed() throws Exception {
    try (SuiteProcess process =
        SuiteProcess.start(suiteClient(), LeasingProcess.class, server.url())) {
      long allowed = Long.parseLong(process.said().get(0));
      long held = Long.parseLong(process.said().get(1));
      process.kill();
      try (RateLimiters others = connect(PATIENT)) {
        assertThat(held).isBetween(1L, LeaseRules.TERMS.most());
        assertThat(LeaseRules.charged(others, LeaseRules.LIMIT)).isEqualTo(allowed + held);
        RateLimiter other = others.limiter(POLICY, LeaseRules.LIMIT);
        long limit = LeaseRules.LIMIT.tiers().get(0).units();
        assertThat(other.tryAcquireUpTo(SUBJECT, limit).units())
            .as("others get all but those")
            .isEqualTo(limit - allowed - held);
      }
    }
  }

  /** Takes units until it holds some, and reports the number of allowed calls and of held units. */
  static final class LeasingProcess {
    private LeasingProcess() {}

    /** The process. */
    public static void main(String[] arguments) throws Exception {
      try (RateLimiters limiters = SuiteProcess.connect(arguments, PATIENT)) {
        RateLimiter limiter = limiters.limiter(POLICY, LeaseRules.LIMIT, LeaseRules.TERMS);
        long allowed = 0;
        while (LeaseRules.held(limiters.nearStatistics()) < LeaseRules.TERMS.most() / 2) {
          allowed += limiter.tryAcquire(SUBJECT).allowed() ? 1 : 0;
        }
        SuiteProcess.say(allowed + " " + LeaseRules.held(limiters.nearStatistics()));
      }
    }
  }
}
