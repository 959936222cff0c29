package io.github.penstock.compat.vectors;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.github.penstock.testkit.model.StoredValue;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the published files: one step or one key a line. */
public final class VectorWriter {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private VectorWriter() {}

  /** The text of the file of a script. */
  public static String text(VectorFile file) {
    return text(file.script(), file.sequences().stream().map(VectorWriter::sequence).toList());
  }

  /** The text of a file of sequences, which are written already. */
  public static String text(String script, List<String> sequences) {
    return "{\n  \"protocol\": 1,\n  \"script\": \""
        + script
        + "\",\n  \"sequences\": [\n"
        + String.join(",\n", sequences)
        + "\n  ]\n}\n";
  }

  private static String sequence(VectorSequence sequence) {
    return sequence(
        sequence.name(),
        sequence.rules(),
        sequence.origin().name().toLowerCase(Locale.ROOT),
        sequence.steps().stream().map(VectorWriter::step).toList());
  }

  /** The text of a sequence. */
  public static String sequence(
      String name, List<String> rules, String origin, List<JsonObject> steps) {
    String lines =
        steps.stream()
            .map(step -> "        " + ascii(GSON.toJson(step)))
            .collect(Collectors.joining(",\n"));
    return "    {\n      \"name\": "
        + ascii(GSON.toJson(name))
        + ",\n      \"rules\": "
        + GSON.toJson(rules)
        + ",\n      \"origin\": \""
        + origin
        + "\",\n      \"steps\": [\n"
        + lines
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

  /** A value under a key, with its time to live. */
  public static JsonElement stored(StoredValue stored) {
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

  /** The text of the file of keys. */
  static String keys(List<KeyExample> examples) {
    return examples.stream()
        .map(example -> "    " + ascii(GSON.toJson(key(example))))
        .collect(Collectors.joining(",\n", "{\n  \"protocol\": 1,\n  \"keys\": [\n", "\n  ]\n}\n"));
  }

  private static JsonObject key(KeyExample example) {
    JsonObject json = new JsonObject();
    json.addProperty("prefix", example.prefix());
    json.addProperty("policy", example.policy());
    String subject = example.subject();
    if (subject != null) {
      json.addProperty("subject", subject);
    }
    json.addProperty("subject_hex", example.subjectHex());
    json.addProperty("script", example.script().scriptName());
    json.add("tiers", GSON.toJsonTree(example.tiers()));
    json.addProperty(
        example.key() == null ? "error" : "key",
        example.key() == null ? example.error() : example.key());
    return json;
  }
}
