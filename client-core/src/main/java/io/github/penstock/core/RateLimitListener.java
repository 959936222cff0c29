package io.github.penstock.core;

import io.github.penstock.core.reserve.ReservationEvent;
import org.jspecify.annotations.Nullable;

/**
 * Is called for everything that the limiters of one {@link RateLimiters} do, for metrics and logs.
 *
 * <p>Called on the thread that has the outcome, before the caller gets it, so it must be quick and
 * safe for use by several threads. An exception that it throws changes no decision and does not
 * keep other listeners from being called; it is logged at most once a second. Without a listener
 * nothing is measured.
 */
@FunctionalInterface
public interface RateLimitListener {
  /**
   * A call for units was decided.
   *
   * @param call what was asked
   * @param acquired what the caller gets: the units that were taken, and the decision
   * @param cause why {@link OnUnavailable} or {@link OnOverload} decided, with its {@link
   *     PenstockException#kind() kind}; null unless one did
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
   * A call under several limits was decided, settled, renewed or cancelled, or had run out.
   *
   * @param event what happened
   */
  default void onReservation(ReservationEvent event) {}

  /**
   * A node does not answer, and calls are decided without it for a while; see {@link
   * RateLimiterOptions.Builder#circuitBreaker}.
   *
   * @param node its name, as far as the client knows it
   */
  default void onCircuitOpened(String node) {}

  /**
   * That node, or one that took its place, answers again and is asked as usual.
   *
   * @param node which one, as far as the client tells
   */
  default void onCircuitClosed(String node) {}
}
