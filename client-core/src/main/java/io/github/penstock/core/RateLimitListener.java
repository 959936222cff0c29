package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Sees what the limiters of one {@link RateLimiters} do: what metrics and logs hook into.
 *
 * <p>Called on the thread that has the outcome, before the caller gets it, so it must be quick and
 * safe for use by several threads. What it throws changes no decision and keeps no other listener
 * from hearing; the log tells of it at most once a second. Without a listener nothing is measured.
 */
@FunctionalInterface
public interface RateLimitListener {
  /**
   * A call for units was decided.
   *
   * @param call what was asked
   * @param acquired what the caller gets: the units that were taken, and the decision
   * @param cause why {@link OnUnavailable} decided; null unless it did
   */
  void onDecision(LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause);

  /**
   * A peek or a refund was answered.
   *
   * @param call what was asked
   * @param usage what the caller gets
   */
  default void onUsage(LimiterCall call, Usage usage) {}

  /**
   * A call failed.
   *
   * @param call what was asked
   * @param failure what the caller gets
   */
  default void onFailure(LimiterCall call, RuntimeException failure) {}

  /**
   * A node does not answer, and calls are decided without it for a while; see {@link
   * RateLimiterOptions.Builder#pauseWhenUnavailable}.
   *
   * @param node which one, as far as the client tells
   */
  default void onPause(String node) {}

  /**
   * That node answers again, or another one in its place, and is asked as ever.
   *
   * @param node which one, as far as the client tells
   */
  default void onPauseEnd(String node) {}
}
