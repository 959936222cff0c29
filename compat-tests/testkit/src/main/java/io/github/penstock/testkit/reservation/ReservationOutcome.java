package io.github.penstock.testkit.reservation;

import io.github.penstock.testkit.model.StoredValue;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The expected reply and state of {@code reserve} or {@code settle}.
 *
 * @param reply the integers; empty for an error
 * @param error the argument in the error, such as {@code entry 2 cost}; null for a reply
 * @param written the value under each key that it writes
 */
public record ReservationOutcome(
    List<Long> reply, @Nullable String error, Map<String, StoredValue> written) {
  /** Copies. */
  public ReservationOutcome {
    reply = List.copyOf(reply);
    written = Map.copyOf(written);
  }

  static ReservationOutcome error(String argument) {
    return new ReservationOutcome(List.of(), argument, Map.of());
  }
}
