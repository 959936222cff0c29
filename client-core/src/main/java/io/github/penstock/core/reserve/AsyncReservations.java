package io.github.penstock.core.reserve;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The asynchronous variant of {@link Reservations}. It has the same operations, but its methods
 * return a {@link CompletionStage}. A method throws immediately if an argument is out of bounds.
 * Every other failure completes the stage exceptionally. If a stage is cancelled but the server
 * still allows the call, the units of the call are returned.
 */
public interface AsyncReservations {
  /** Returns the name that is used in events and logs. */
  String name();

  /** Returns how long a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /** Requests the units of all entries; see {@link Reservations#reserve(String, EntryCost...)}. */
  default CompletionStage<AsyncReservation> reserve(String group, EntryCost... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /**
   * Requests the units of all entries under this id; see {@link Reservations#reserve(CallId,
   * String, EntryCost...)}.
   */
  CompletionStage<AsyncReservation> reserve(CallId id, String group, EntryCost... entries);
}
