package io.github.penstock.core;

import io.github.penstock.core.reserve.ReservationEvent;
import org.jspecify.annotations.Nullable;

/**
 * Receives all events of the limiters of one {@link RateLimiters} object, for metrics and logs.
 *
 * <p>It is called on the thread that completes the call, before the caller receives the result, so
 * it must be fast and thread-safe. An exception that it throws does not affect the decision or
 * other listeners; it is logged at most once a second. If there is no listener, calls are not
 * timed.
 */
@FunctionalInterface
public interface RateLimitListener {
  /**
   * Called when a call for units was decided.
   *
   * @param call the operation and its arguments
   * @param acquired the result that the caller receives: the units that were taken, and the
   *     decision
   * @param cause the reason why {@link OnUnavailable} or {@link OnOverload} decided, with its
   *     {@link PenstockException#kind() kind}; null if neither did
   */
  void onDecision(LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause);

  /**
   * Called when a peek or a refund succeeded.
   *
   * @param call the operation and its arguments
   * @param usage the result that the caller receives
   */
  default void onUsage(LimiterCall call, Usage usage) {}

  /**
   * Called when a call failed.
   *
   * @param call the operation and its arguments
   * @param failure the exception that the caller receives
   */
  default void onFailure(LimiterCall call, RuntimeException failure) {}

  /**
   * Called when a call under several limits was decided, settled, renewed or cancelled, or was
   * found to have expired.
   *
   * @param event the event
   */
  default void onReservation(ReservationEvent event) {}

  /**
   * Called when a node does not answer and calls are decided without it for a while; see {@link
   * RateLimiterOptions.Builder#circuitBreaker}.
   *
   * @param node the name of the node, as far as the client knows it
   */
  default void onCircuitOpened(String node) {}

  /**
   * Called when the node, or its successor, answers again and decides calls as usual.
   *
   * @param node the name of the node, as far as the client knows it
   */
  default void onCircuitClosed(String node) {}
}
