package io.github.penstock.compat.vectors;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Examples of keys as JSON, one a line. */
final class KeyJson {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private KeyJson() {}

  static String write(List<KeyExample> examples) {
    return examples.stream()
        .map(example -> "    " + VectorJson.ascii(GSON.toJson(json(example))))
        .collect(Collectors.joining(",\n", "{\n  \"protocol\": 1,\n  \"keys\": [\n", "\n  ]\n}\n"));
  }

  private static JsonObject json(KeyExample example) {
    JsonObject json = new JsonObject();
    json.addProperty("prefix", example.prefix());
    json.addProperty("policy", example.policy());
    String subject = text(example.subjectHex());
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

  private static @Nullable String text(String hex) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException illFormed) {
      return null;
    }
  }

  static List<KeyExample> read(String text) {
    List<KeyExample> examples = new ArrayList<>();
    JsonParser.parseString(text)
        .getAsJsonObject()
        .getAsJsonArray("keys")
        .forEach(element -> examples.add(example(element.getAsJsonObject())));
    return List.copyOf(examples);
  }

  private static KeyExample example(JsonObject json) {
    List<List<Long>> tiers = new ArrayList<>();
    for (JsonElement tier : json.getAsJsonArray("tiers")) {
      tiers.add(tier.getAsJsonArray().asList().stream().map(JsonElement::getAsLong).toList());
    }
    return new KeyExample(
        json.get("prefix").getAsString(),
        json.get("policy").getAsString(),
        json.get("subject_hex").getAsString(),
        ScriptAlgorithm.named(json.get("script").getAsString()),
        tiers,
        json.has("key") ? json.get("key").getAsString() : null,
        json.has("error") ? json.get("error").getAsString() : null);
  }
}
