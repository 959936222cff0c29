package io.github.penstock.core;

import io.github.penstock.core.reserve.ReservationEvent;
import org.jspecify.annotations.Nullable;

/**
 * Receives all events of the limiters of one {@link RateLimiters}, for metrics and logs.
 *
 * <p>It is called on the thread that has the outcome, before the caller receives it, so it must be
 * quick and safe for use by several threads. An exception that it throws changes no decision and
 * does not prevent calls to other listeners; it is logged at most once a second. Without a
 * listener, calls are not timed.
 */
@FunctionalInterface
public interface RateLimitListener {
  /**
   * A call for units was decided.
   *
   * @param call the operation and its arguments
   * @param acquired the caller's result: the units that were taken, and the decision
   * @param cause the reason for which {@link OnUnavailable} or {@link OnOverload} decided, with its
   *     {@link PenstockException#kind() kind}; null unless one did
   */
  void onDecision(LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause);

  /**
   * A peek or a refund succeeded.
   *
   * @param call the operation and its arguments
   * @param usage the caller's result
   */
  default void onUsage(LimiterCall call, Usage usage) {}

  /**
   * A call failed.
   *
   * @param call the operation and its arguments
   * @param failure the exception that the caller receives
   */
  default void onFailure(LimiterCall call, RuntimeException failure) {}

  /**
   * A call under several limits was decided, settled, renewed or cancelled, or had expired.
   *
   * @param event the event
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
   * The node, or its successor, answers again and decides calls as usual.
   *
   * @param node its name, as far as the client knows it
   */
  default void onCircuitClosed(String node) {}
}
