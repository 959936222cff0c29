package io.github.penstock.core.reserve;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The asynchronous variant of {@link Reservations}: the same operations, with a {@link
 * CompletionStage} as the result. A method throws immediately if an argument is out of bounds;
 * every other failure completes the stage exceptionally. If a stage is cancelled, units that the
 * server grants to its call are returned.
 */
public interface AsyncReservations {
  /** Returns the name, for listeners and logs. */
  String name();

  /** Returns how long a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /** Requests all entries; see {@link Reservations#reserve(String, CallEntry...)}. */
  default CompletionStage<AsyncReservation> reserve(String group, CallEntry... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /**
   * Requests all entries with an id; see {@link Reservations#reserve(CallId, String,
   * CallEntry...)}.
   */
  CompletionStage<AsyncReservation> reserve(CallId id, String group, CallEntry... entries);
}
