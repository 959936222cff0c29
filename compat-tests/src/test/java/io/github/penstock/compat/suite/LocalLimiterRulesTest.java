package io.github.penstock.compat.suite;

import io.github.penstock.core.RateLimiters;
import io.github.penstock.local.LocalRateLimiters;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules that make sense in one process, on limiters without a server. */
@ParameterizedClass(name = "{0}")
@EnumSource(ScriptAlgorithm.class)
class LocalLimiterRulesTest extends LimiterRules {
  private final LocalRateLimiters limiters = LocalRateLimiters.create();

  LocalLimiterRulesTest(ScriptAlgorithm algorithm) {
    super(algorithm);
  }

  @Override
  protected RateLimiters limiters() {
    return limiters;
  }

  @AfterEach
  void close() {
    limiters.close();
  }
}
