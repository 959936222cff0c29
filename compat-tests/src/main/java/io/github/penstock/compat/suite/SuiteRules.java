package io.github.penstock.compat.suite;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstances;

/** A group of rules, nested in its runner: the suite, and there optionally a deployment. */
@ExtendWith(SuiteRules.Surroundings.class)
abstract class SuiteRules {
  private @Nullable TestInstances around;

  /** The suite that these rules are part of. */
  final RateLimiterCompatibilityTest suite() {
    return around(RateLimiterCompatibilityTest.class);
  }

  /** The adapter on the deployment whose rules these are. */
  final AdapterTrial trial() {
    return around(CommonRules.class).trial();
  }

  private <T> T around(Class<T> type) {
    if (around == null) {
      throw new IllegalStateException("rules must be run by JUnit");
    }
    return around.findInstance(type).orElseThrow();
  }

  /** Gives the rules of a test the instance that they are nested in. */
  static final class Surroundings implements BeforeEachCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
      TestInstances around = context.getRequiredTestInstances();
      around.findInstance(SuiteRules.class).ifPresent(rules -> rules.around = around);
    }
  }
}
