package io.github.penstock.compat.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Units that a process takes with it. */
public abstract class KilledProcessRules extends NearRules {
  @Test
  @DisplayName("L4 a process that is killed takes no more with it than the lease that it holds")
  void killed() throws Exception {
    try (LeasingProcess process = LeasingProcess.start(suiteClient(), server.url())) {
      long allowed = process.allowed();
      long held = process.held();
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
}
