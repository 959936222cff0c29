package io.github.penstock.compat.reservation;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.testkit.model.StoredValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/** The published vectors of reservations: sequences of calls with several keys. */
public final class ReservationVectors {
  private static final String FILE = "io/github/penstock/compat/vectors/reservation.json";

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
    ClassLoader loader = ReservationVectors.class.getClassLoader();
    String text = Uncheck.get(() -> IOUtils.resourceToString(FILE, StandardCharsets.UTF_8, loader));
    return list(JsonParser.parseString(text).getAsJsonObject(), "sequences").stream()
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
    json.entrySet().forEach(entry -> values.put(entry.getKey(), value(entry.getValue())));
    return values;
  }

  private static StoredValue value(JsonElement json) {
    if (json.isJsonNull()) {
      return StoredValue.NOTHING;
    }
    JsonObject stored = json.getAsJsonObject();
    JsonElement ttl = stored.get("ttl_ms");
    long ttlMs = ttl.isJsonNull() ? StoredValue.ENDLESS : ttl.getAsLong();
    return stored.has("hex")
        ? StoredValue.binary(stored.get("hex").getAsString(), ttlMs)
        : StoredValue.string(stored.get("value").getAsString(), ttlMs);
  }

  private static List<JsonElement> list(JsonObject json, String name) {
    return json.getAsJsonArray(name).asList();
  }

  static List<String> texts(JsonObject json, String name) {
    return list(json, name).stream().map(JsonElement::getAsString).toList();
  }
}
