package io.github.penstock.core.reserve;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * {@link Reservations} for asynchronous clients: the same, with stages. An argument out of bounds
 * throws at once; every other failure completes the stage exceptionally. What a stage gets that was
 * cancelled is given back.
 */
public interface AsyncReservations {
  /** The name, for listeners and logs. */
  String name();

  /** Returns for how long a call holds its units if it is neither settled nor renewed. */
  Duration keep();

  /** Asks for all entries; see {@link Reservations#reserve(String, CallEntry...)}. */
  default CompletionStage<AsyncReservation> reserve(String group, CallEntry... entries) {
    return reserve(CallId.random(), group, entries);
  }

  /** The same with an id; see {@link Reservations#reserve(CallId, String, CallEntry...)}. */
  CompletionStage<AsyncReservation> reserve(CallId id, String group, CallEntry... entries);
}
