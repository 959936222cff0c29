package io.github.penstock.compat.reservation;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.penstock.compat.vectors.VectorJson;
import io.github.penstock.testkit.model.StoredValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The published vectors of reservations: sequences of calls with several keys. */
public final class ReservationVectors {
  private ReservationVectors() {}

  /**
   * Calls in their order, on unique keys.
   *
   * @param name a sentence that begins with the rules that it shows, such as {@code R2}
   */
  public record Sequence(String name, List<ReservationStep> steps) {
    /** Copies the list. */
    public Sequence {
      steps = List.copyOf(steps);
    }

    /** The rules that it shows. */
    public List<String> rules() {
      return Arrays.stream(name.split(" ")).takeWhile(word -> word.matches("[RP]\\d+")).toList();
    }
  }

  /** All sequences, as they come with this library. */
  public static List<Sequence> all() {
    return list(VectorJson.read("reservation.json", JsonObject.class), "sequences").stream()
        .map(JsonElement::getAsJsonObject)
        .map(ReservationVectors::sequence)
        .toList();
  }

  private static Sequence sequence(JsonObject json) {
    return new Sequence(
        json.get("name").getAsString(),
        list(json, "steps").stream()
            .map(JsonElement::getAsJsonObject)
            .map(ReservationVectors::step)
            .toList());
  }

  private static ReservationStep step(JsonObject json) {
    return new ReservationStep(
        json.get("script").getAsString(),
        before(json),
        texts(json, "keys"),
        texts(json, "args"),
        json.has("reply")
            ? list(json, "reply").stream().map(JsonElement::getAsLong).toList()
            : List.of(),
        json.has("error") ? json.get("error").getAsString() : null,
        texts(json, "written"),
        values(json.getAsJsonObject("stored")));
  }

  /** The values that a step puts under keys before its call. */
  static Map<String, StoredValue> before(JsonObject step) {
    return step.has("before") ? values(step.getAsJsonObject("before")) : Map.of();
  }

  private static Map<String, StoredValue> values(JsonObject json) {
    Map<String, StoredValue> values = new LinkedHashMap<>();
    json.entrySet()
        .forEach(entry -> values.put(entry.getKey(), VectorJson.stored(entry.getValue())));
    return values;
  }

  private static List<JsonElement> list(JsonObject json, String name) {
    return json.getAsJsonArray(name).asList();
  }

  static List<String> texts(JsonObject json, String name) {
    return list(json, name).stream().map(JsonElement::getAsString).toList();
  }
}
