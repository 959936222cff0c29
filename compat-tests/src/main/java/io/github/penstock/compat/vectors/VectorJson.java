package io.github.penstock.compat.vectors;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.model.Outcome;
import io.github.penstock.compat.model.Stored;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Vectors as JSON, one step a line. */
final class VectorJson {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private VectorJson() {}

  static String write(VectorFile file) {
    String sequences =
        file.sequences().stream().map(VectorJson::sequence).collect(Collectors.joining(",\n"));
    return "{\n  \"protocol\": 1,\n  \"script\": \""
        + file.script().scriptName()
        + "\",\n  \"sequences\": [\n"
        + sequences
        + "\n  ]\n}\n";
  }

  private static String sequence(Sequence sequence) {
    String steps =
        sequence.steps().stream()
            .map(step -> "        " + ascii(GSON.toJson(step(step))))
            .collect(Collectors.joining(",\n"));
    return "    {\n      \"name\": "
        + ascii(GSON.toJson(sequence.name()))
        + ",\n      \"rules\": "
        + GSON.toJson(sequence.rules())
        + ",\n      \"origin\": \""
        + sequence.origin().name().toLowerCase(Locale.ROOT)
        + "\",\n      \"steps\": [\n"
        + steps
        + "\n      ]\n    }";
  }

  /** JSON with everything beyond ASCII escaped, so that a file reads the same everywhere. */
  static String ascii(String json) {
    return json.chars()
        .mapToObj(c -> c < 127 ? String.valueOf((char) c) : String.format("\\u%04x", c))
        .collect(Collectors.joining());
  }

  private static JsonObject step(Step step) {
    JsonObject json = new JsonObject();
    if (step.before() != null) {
      json.add("before", stored(step.before()));
    }
    json.add("keys", GSON.toJsonTree(step.keys()));
    json.add("args", GSON.toJsonTree(step.arguments()));
    Outcome expected = step.expected();
    if (expected.error() == null) {
      json.add("reply", GSON.toJsonTree(expected.reply()));
    } else {
      json.addProperty("error", expected.error());
    }
    json.addProperty("written", expected.written());
    json.add("stored", stored(expected.stored()));
    return json;
  }

  private static JsonElement stored(Stored stored) {
    JsonObject json = new JsonObject();
    switch (stored.kind()) {
      case NOTHING -> {
        return JsonNull.INSTANCE;
      }
      case LIST -> json.addProperty("type", "list");
      case STRING -> {
        json.addProperty("value", stored.text());
        json.add(
            "ttl_ms", GSON.toJsonTree(stored.ttlMs() == Stored.ENDLESS ? null : stored.ttlMs()));
      }
    }
    return json;
  }

  static VectorFile read(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    List<Sequence> sequences =
        elements(json.get("sequences")).map(VectorJson::readSequence).toList();
    return new VectorFile(Algorithm.named(json.get("script").getAsString()), sequences);
  }

  private static Sequence readSequence(JsonElement element) {
    JsonObject json = element.getAsJsonObject();
    return new Sequence(
        json.get("name").getAsString(),
        Sequence.Origin.valueOf(json.get("origin").getAsString().toUpperCase(Locale.ROOT)),
        elements(json.get("steps")).map(VectorJson::readStep).toList());
  }

  private static Step readStep(JsonElement element) {
    JsonObject json = element.getAsJsonObject();
    List<Long> reply = elements(json.get("reply")).map(JsonElement::getAsLong).toList();
    String error = json.has("error") ? json.get("error").getAsString() : null;
    return new Step(
        json.has("before") ? readStored(json.get("before")) : null,
        strings(json.get("keys")),
        strings(json.get("args")),
        new Outcome(
            reply, error, json.get("written").getAsBoolean(), readStored(json.get("stored"))));
  }

  private static Stored readStored(JsonElement element) {
    if (element.isJsonNull()) {
      return Stored.NOTHING;
    }
    JsonObject json = element.getAsJsonObject();
    if (json.has("type")) {
      return Stored.LIST;
    }
    JsonElement ttl = json.get("ttl_ms");
    return Stored.string(
        json.get("value").getAsString(), ttl.isJsonNull() ? Stored.ENDLESS : ttl.getAsLong());
  }

  static List<String> strings(JsonElement array) {
    return elements(array).map(JsonElement::getAsString).toList();
  }

  private static Stream<JsonElement> elements(@Nullable JsonElement array) {
    JsonArray items = array == null ? new JsonArray() : array.getAsJsonArray();
    return StreamSupport.stream(items.spliterator(), false);
  }
}
