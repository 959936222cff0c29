package io.github.penstock.core.reserve;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * {@link Reservations} for asynchronous clients: the same operations, with stages. An argument out
 * of bounds throws at once; every other failure completes the stage exceptionally. If a stage is
 * cancelled, any units that its call is granted are returned.
 */
public interface AsyncReservations {
  /** The name, for listeners and logs. */
  String name();

  /** Returns the time for which a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /** Requests all entries; see {@link Reservations#reserve(String, CallEntry...)}. */
  default CompletionStage<AsyncReservation> reserve(String group, CallEntry... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /**
   * Requests one place with an id; see {@link Reservations#reserve(CallId, String, CallEntry...)}.
   */
  CompletionStage<AsyncReservation> reserve(CallId id, String group, CallEntry... entries);
}
