package io.github.penstock.core.notice;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the options choose for a call for units that the server did not decide: the one place where
 * a failure opens a limit. Safe for use by several threads.
 *
 * @param closed whether the limiters are, and nothing is chosen any more
 */
public record FailureChoice(
    RateLimiterOptions options, LimiterEvents events, AtomicBoolean closed) {
  /** An outcome without the server; {@code source} is which of the options chose it. */
  public record UndecidedCall(boolean allowed, DecisionSource source) {}

  /** Chooses, and publishes it; null if the exception must be thrown. */
  public @Nullable UndecidedCall of(FailureKind kind, RuntimeException exception) {
    if (closed.get() || options.throwUntilFirstDecision() && !events.hasDecided()) {
      return null;
    }
    OnUnavailable onUnavailable = options.onUnavailable();
    if (kind.outage() && onUnavailable != OnUnavailable.THROW) {
      events.unavailable(onUnavailable, exception);
      return new UndecidedCall(onUnavailable == OnUnavailable.ALLOW, DecisionSource.UNAVAILABLE);
    }
    OnOverload onOverload = options.onOverload();
    if (kind == FailureKind.OVERLOADED && onOverload != OnOverload.THROW) {
      events.overloaded(onOverload, exception);
      return new UndecidedCall(onOverload == OnOverload.ALLOW, DecisionSource.OVERLOADED);
    }
    return null;
  }
}
