package io.github.penstock.compat.vectors;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.ToNumberPolicy;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/** Reads the published files, as they lie on the class path. */
public final class VectorJson {
  private static final Gson PARTS =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .registerTypeAdapter(StoredValue.class, new StoredValueReader())
          .registerTypeAdapter(ScriptAlgorithm.class, (JsonDeserializer<?>) VectorJson::algorithm)
          .create();

  private static final Gson GSON =
      PARTS
          .newBuilder()
          .registerTypeAdapter(VectorStep.class, (JsonDeserializer<?>) VectorJson::step)
          .create();

  private VectorJson() {}

  /** A file, such as {@code token-bucket.json}. */
  public static <T> T read(String name, Class<T> type) {
    String path = "io/github/penstock/compat/vectors/" + name;
    ClassLoader loader = VectorJson.class.getClassLoader();
    return parse(
        Uncheck.get(() -> IOUtils.resourceToString(path, StandardCharsets.UTF_8, loader)), type);
  }

  /** The text of a file. */
  static <T> T parse(String json, Class<T> type) {
    return GSON.fromJson(json, type);
  }

  private static ScriptAlgorithm algorithm(
      JsonElement name, Type type, JsonDeserializationContext context) {
    return ScriptAlgorithm.named(name.getAsString());
  }

  /* In a file, a step and its expectation are one object. */
  private static VectorStep step(JsonElement step, Type type, JsonDeserializationContext context) {
    return PARTS
        .fromJson(step, VectorStep.class)
        .expecting(PARTS.fromJson(step, VectorOutcome.class));
  }

  /** The value of a key; one that is not there is null. */
  public static StoredValue stored(JsonElement json) {
    if (json.isJsonNull()) {
      return StoredValue.NOTHING;
    }
    JsonObject stored = json.getAsJsonObject();
    if (stored.has("type")) {
      return StoredValue.LIST;
    }
    JsonElement ttl = stored.get("ttl_ms");
    long ttlMs = ttl.isJsonNull() ? StoredValue.ENDLESS : ttl.getAsLong();
    return stored.has("hex")
        ? StoredValue.binary(stored.get("hex").getAsString(), ttlMs)
        : StoredValue.string(stored.get("value").getAsString(), ttlMs);
  }

  private static final class StoredValueReader extends TypeAdapter<StoredValue> {
    @Override
    public StoredValue read(JsonReader in) {
      return stored(JsonParser.parseReader(in));
    }

    @Override
    public void write(JsonWriter out, StoredValue value) {
      throw new UnsupportedOperationException("vectors are only read here");
    }
  }
}
