package io.github.penstock.compat.reservation;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.github.penstock.testkit.model.StoredValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes {@code reservation.json}: the sequences are chosen in {@link ReservationScenarios}, what
 * is expected of them comes from the model.
 *
 * <p>After a change: {@code mvn -q -pl compat-tests -am test-compile exec:java
 * -Dexec.mainClass=io.github.penstock.compat.reservation.ReservationGenerator
 * -Dexec.args=$PWD/lua/vectors}.
 */
public final class ReservationGenerator {
  static final String FILE = "reservation.json";
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private ReservationGenerator() {}

  /** Writes the file; the only argument is the directory. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("arguments must be one directory");
    }
    Files.writeString(Path.of(arguments[0]).resolve(FILE), text(ReservationScenarios.all()));
  }

  /** The text of the file: one step a line. */
  static String text(List<ReservationVectors.Sequence> sequences) {
    return sequences.stream()
        .map(ReservationGenerator::sequence)
        .collect(
            Collectors.joining(
                ",\n",
                "{\n  \"protocol\": 1,\n  \"script\": \"reserve and settle\",\n  \"sequences\": [\n",
                "\n  ]\n}\n"));
  }

  private static String sequence(ReservationVectors.Sequence sequence) {
    return "    {\n      \"name\": %s,\n      \"rules\": %s,\n      \"origin\": \"model\",\n      \"steps\": [\n%s\n      ]\n    }"
        .formatted(
            GSON.toJson(sequence.name()),
            GSON.toJson(sequence.rules()),
            sequence.steps().stream()
                .map(step -> "        " + GSON.toJson(step(step)))
                .collect(Collectors.joining(",\n")));
  }

  private static JsonObject step(ReservationStep step) {
    JsonObject json = new JsonObject();
    json.addProperty("script", step.script());
    if (!step.before().isEmpty()) {
      json.add("before", values(step.before()));
    }
    json.add("keys", GSON.toJsonTree(step.keys()));
    json.add("args", GSON.toJsonTree(step.arguments()));
    if (step.error() == null) {
      json.add("reply", GSON.toJsonTree(step.reply()));
    } else {
      json.addProperty("error", step.error());
    }
    json.add("written", GSON.toJsonTree(step.written()));
    json.add("stored", values(step.stored()));
    return json;
  }

  private static JsonObject values(Map<String, StoredValue> values) {
    JsonObject json = new JsonObject();
    values.forEach((key, value) -> json.add(key, value(value)));
    return json;
  }

  private static JsonElement value(StoredValue stored) {
    if (stored.kind() == StoredValue.Kind.NOTHING) {
      return JsonNull.INSTANCE;
    }
    JsonObject json = new JsonObject();
    json.addProperty(stored.kind() == StoredValue.Kind.BINARY ? "hex" : "value", stored.text());
    json.add(
        "ttl_ms", GSON.toJsonTree(stored.ttlMs() == StoredValue.ENDLESS ? null : stored.ttlMs()));
    return json;
  }
}
