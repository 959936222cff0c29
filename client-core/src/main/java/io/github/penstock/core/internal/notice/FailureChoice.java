package io.github.penstock.core.internal.notice;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.Limit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The options' outcome for a call for units that the server did not decide: the only place where a
 * failure opens a limit. Safe for use by several threads.
 *
 * @param closed whether the limiters are closed, so that no outcome is chosen
 */
public record FailureChoice(
    RateLimiterOptions options, LimiterEvents events, AtomicBoolean closed) {
  /** An outcome without the server; {@code source} is which of the options chose it. */
  public record UndecidedCall(boolean allowed, DecisionSource source) {
    /** The decision about a limit, whose caller should wait for a deadline if it is denied. */
    public Decision decision(Limit limit, long deadlineNanos) {
      long units = limit.tiers().get(0).capacity();
      long waitMicros = allowed ? 0 : TimeUnit.NANOSECONDS.toMicros(deadlineNanos);
      return new Decision(allowed, units, 0, waitMicros, 0, 1, source);
    }
  }

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
