package io.github.penstock.compat.suite;

import io.github.penstock.compat.near.AwaitedLimiters;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.local.LocalRateLimiters;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules that make sense in one process, on limiters without a server. */
class LocalLimiterRulesTest {
  private final LocalRateLimiters limiters = LocalRateLimiters.create();

  @Nested
  @ParameterizedClass(name = "{0}")
  @EnumSource(ScriptAlgorithm.class)
  class Blocking extends LimiterRules {
    Blocking(ScriptAlgorithm algorithm) {
      super(algorithm);
    }

    @Override
    protected RateLimiters limiters() {
      return limiters;
    }
  }

  @Nested
  @ParameterizedClass(name = "{0}, asynchronous")
  @EnumSource(ScriptAlgorithm.class)
  class Asynchronous extends LimiterRules {
    Asynchronous(ScriptAlgorithm algorithm) {
      super(algorithm);
    }

    @Override
    protected RateLimiters limiters() {
      return AwaitedLimiters.of(limiters);
    }
  }
}
