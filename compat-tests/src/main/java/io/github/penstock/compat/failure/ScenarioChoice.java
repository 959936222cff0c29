package io.github.penstock.compat.failure;

import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What limiters choose for an outage, and when overloaded. */
record ScenarioChoice(OnUnavailable onUnavailable, OnOverload onOverload) {
  /** Every choice for an outage, and no units when overloaded. */
  static final List<ScenarioChoice> DENYING =
      Stream.of(OnUnavailable.ALLOW, OnUnavailable.DENY, OnUnavailable.THROW)
          .map(choice -> new ScenarioChoice(choice, OnOverload.DENY))
          .toList();

  /** Calls are allowed in an outage, and denied when overloaded. */
  static final ScenarioChoice ALLOW = DENYING.get(0);

  /** The choice of a call that charges nothing: it has none. */
  static final ScenarioChoice THROW = new ScenarioChoice(OnUnavailable.THROW, OnOverload.THROW);

  /** Returns what was chosen for a failure; those of other kinds are always thrown. */
  String of(FailureKind kind) {
    if (kind.outage()) {
      return onUnavailable.toString();
    }
    return kind == FailureKind.OVERLOADED ? onOverload.toString() : "THROW";
  }

  /** Returns whether calls are allowed in an outage. */
  boolean isOpen() {
    return onUnavailable.equals(OnUnavailable.ALLOW);
  }

  /** Options under which each call asks. */
  RateLimiterOptions options(Duration deadline) {
    return RateLimiterOptions.builder()
        .prefix(SubjectKey.PREFIX)
        .rememberDenials(Duration.ZERO)
        .deadline(deadline)
        .onUnavailable(onUnavailable)
        .onOverload(onOverload)
        .build();
  }
}
