package io.github.penstock.compat.reservation;

import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.reservation.ReservationModel;
import io.github.penstock.testkit.reservation.ReservationOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call and its expected result.
 *
 * @param before the values to put under keys before the call
 * @param keys the keys, as they are sent
 * @param arguments the arguments, the caller's time among them
 * @param reply the integers; empty for an error
 * @param error the argument in the error; null for a reply
 * @param written the keys that the call writes
 * @param stored the values under every key of the call afterwards
 */
public record ReservationStep(
    String script,
    Map<String, StoredValue> before,
    List<String> keys,
    List<String> arguments,
    List<Long> reply,
    @Nullable String error,
    List<String> written,
    Map<String, StoredValue> stored) {

  /** Makes the call on the model. */
  public static ReservationStep on(
      ReservationModel model,
      Map<String, StoredValue> before,
      String script,
      List<String> keys,
      List<String> arguments) {
    before.forEach(model::put);
    ReservationOutcome outcome = model.call(script, keys, arguments);
    Map<String, StoredValue> stored = new LinkedHashMap<>();
    keys.forEach(key -> stored.put(key, model.get(key)));
    List<String> written = outcome.written().keySet().stream().sorted().toList();
    return new ReservationStep(
        script, before, keys, arguments, outcome.reply(), outcome.error(), written, stored);
  }
}
