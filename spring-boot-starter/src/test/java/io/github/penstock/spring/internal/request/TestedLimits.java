package io.github.penstock.spring.internal.request;

import io.github.penstock.core.limit.Limits;
import io.github.penstock.local.LocalRateLimiters;
import io.github.penstock.spring.control.PolicyMode;
import io.github.penstock.spring.internal.request.PlanLimit.LimitTerms;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Limits of a policy in memory. */
final class TestedLimits {
  static final PlanLimits ONE =
      new PlanLimits(
          new LimitTerms(
              LocalRateLimiters.create(),
              "one",
              null,
              Duration.ofSeconds(1),
              null,
              false,
              false,
              null),
          () -> PolicyMode.ENFORCED,
          Map.of("", Limits.parse("fixed-window:1/1h")),
          Set.of());

  private TestedLimits() {}
}
