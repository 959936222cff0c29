package io.github.penstock.core;

import io.github.penstock.core.reserve.ReservationEvent;
import org.jspecify.annotations.Nullable;

/**
 * Receives all events of one {@link RateLimiters} object and its limiters. Use it for metrics and
 * logs.
 *
 * <p>A listener must be fast and thread-safe, because it is called on the thread that completes the
 * call, before the caller receives the result. Exceptions from listeners are logged at most once a
 * second. They affect neither the decision nor other listeners. Without a listener, calls are not
 * timed.
 */
@FunctionalInterface
public interface RateLimitListener {
  /**
   * Called after a call for units is allowed or denied.
   *
   * @param call the operation and its arguments
   * @param acquired the number of units taken and the decision that the caller receives
   * @param cause the failure, with its {@link PenstockException#kind() kind}, if {@link
   *     OnUnavailable} or {@link OnOverload} determined the result; otherwise null
   */
  void onDecision(LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause);

  /**
   * Called after a peek or refund succeeds.
   *
   * @param call the operation and its arguments
   * @param usage the result that the caller receives
   */
  default void onUsage(LimiterCall call, Usage usage) {}

  /**
   * Called after a call fails.
   *
   * @param call the operation and its arguments
   * @param failure the exception that the caller receives
   */
  default void onFailure(LimiterCall call, RuntimeException failure) {}

  /**
   * Called for each event of a call under several limits. {@link ReservationEvent.Kind} lists the
   * events.
   *
   * @param event the event
   */
  default void onReservation(ReservationEvent event) {}

  /**
   * Called when the circuit breaker of a node opens because the node does not answer. While it is
   * open, the results of calls are determined without the node; see {@link
   * RateLimiterOptions.Builder#circuitBreaker}.
   *
   * @param node the name of the node, as far as the client knows it
   */
  default void onCircuitOpened(String node) {}

  /**
   * Called when the circuit breaker of a node closes because the node or its successor answers
   * again. After that, the node answers calls as usual.
   *
   * @param node the name of the node, as far as the client knows it
   */
  default void onCircuitClosed(String node) {}

  /**
   * Called when the verdict on a server changes: whether it answers. The log also contains each
   * change.
   *
   * @param change the change
   */
  default void onVerdict(VerdictChange change) {}
}
