package io.github.penstock.compat.vectors;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.penstock.testkit.model.StoredValue;
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
        + file.script()
        + "\",\n  \"sequences\": [\n"
        + sequences
        + "\n  ]\n}\n";
  }

  private static String sequence(VectorSequence sequence) {
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

  private static JsonObject step(VectorStep step) {
    JsonObject json = new JsonObject();
    if (step.before() != null) {
      json.add("before", stored(step.before()));
    }
    json.add("keys", GSON.toJsonTree(step.keys()));
    json.add("args", GSON.toJsonTree(step.arguments()));
    VectorOutcome expected = step.expected();
    if (expected.error() == null) {
      json.add("reply", GSON.toJsonTree(expected.reply()));
    } else {
      json.addProperty("error", expected.error());
    }
    json.addProperty("written", expected.written());
    if (expected.isTtlKept()) {
      json.addProperty("ttl_kept", true);
    }
    json.add("stored", stored(expected.stored()));
    if (step.second() != null) {
      json.add("second", second(step.second()));
    }
    return json;
  }

  private static JsonObject second(SecondKey second) {
    JsonObject json = new JsonObject();
    json.addProperty("key", second.name());
    if (second.before() != null) {
      json.add("before", stored(second.before()));
    }
    json.add("stored", stored(second.stored()));
    return json;
  }

  private static JsonElement stored(StoredValue stored) {
    JsonObject json = new JsonObject();
    switch (stored.kind()) {
      case NOTHING -> {
        return JsonNull.INSTANCE;
      }
      case LIST -> json.addProperty("type", "list");
      case STRING, BINARY -> {
        json.addProperty(stored.kind() == StoredValue.Kind.BINARY ? "hex" : "value", stored.text());
        json.add(
            "ttl_ms",
            GSON.toJsonTree(stored.ttlMs() == StoredValue.ENDLESS ? null : stored.ttlMs()));
      }
    }
    return json;
  }

  static VectorFile read(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    List<VectorSequence> sequences =
        elements(json.get("sequences")).map(VectorJson::readSequence).toList();
    return new VectorFile(json.get("script").getAsString(), sequences);
  }

  private static VectorSequence readSequence(JsonElement element) {
    JsonObject json = element.getAsJsonObject();
    return new VectorSequence(
        json.get("name").getAsString(),
        VectorSequence.Origin.valueOf(json.get("origin").getAsString().toUpperCase(Locale.ROOT)),
        elements(json.get("steps")).map(VectorJson::readStep).toList());
  }

  private static VectorStep readStep(JsonElement element) {
    JsonObject json = element.getAsJsonObject();
    String error = json.has("error") ? json.get("error").getAsString() : null;
    Object reply = error == null ? readReply(json.get("reply")) : List.of();
    return new VectorStep(
        json.has("before") ? readStored(json.get("before")) : null,
        strings(json.get("keys")),
        strings(json.get("args")),
        new VectorOutcome(
            reply,
            error,
            json.get("written").getAsBoolean(),
            json.has("ttl_kept"),
            readStored(json.get("stored"))),
        json.has("second") ? readSecond(json.getAsJsonObject("second")) : null);
  }

  private static SecondKey readSecond(JsonObject json) {
    return new SecondKey(
        json.get("key").getAsString(),
        json.has("before") ? readStored(json.get("before")) : null,
        readStored(json.get("stored")));
  }

  private static @Nullable Object readReply(JsonElement reply) {
    if (reply.isJsonNull()) {
      return null;
    }
    if (reply.isJsonArray()) {
      return elements(reply).map(VectorJson::readItem).toList();
    }
    return readItem(reply);
  }

  private static Object readItem(JsonElement item) {
    JsonPrimitive value = item.getAsJsonPrimitive();
    return value.isNumber() ? (Object) value.getAsLong() : value.getAsString();
  }

  private static StoredValue readStored(JsonElement element) {
    if (element.isJsonNull()) {
      return StoredValue.NOTHING;
    }
    JsonObject json = element.getAsJsonObject();
    if (json.has("type")) {
      return StoredValue.LIST;
    }
    JsonElement ttl = json.get("ttl_ms");
    long ttlMs = ttl.isJsonNull() ? StoredValue.ENDLESS : ttl.getAsLong();
    return json.has("hex")
        ? StoredValue.binary(json.get("hex").getAsString(), ttlMs)
        : StoredValue.string(json.get("value").getAsString(), ttlMs);
  }

  static List<String> strings(JsonElement array) {
    return elements(array).map(JsonElement::getAsString).toList();
  }

  private static Stream<JsonElement> elements(@Nullable JsonElement array) {
    JsonArray items = array == null ? new JsonArray() : array.getAsJsonArray();
    return StreamSupport.stream(items.spliterator(), false);
  }
}
