package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One example of how a key is named.
 *
 * @param prefix the first part
 * @param policy the second part
 * @param subjectHex the subject's bytes
 * @param script the script that uses the key
 * @param tiers the numbers of each tier
 * @param key the key; null if there must be an error
 * @param error the name of the wrong argument: {@code prefix}, {@code policy} or {@code subject};
 *     null if there is a key
 */
public record KeyExample(
    String prefix,
    String policy,
    String subjectHex,
    ScriptAlgorithm script,
    List<List<Long>> tiers,
    @Nullable String key,
    @Nullable String error) {
  /** Copies the lists and checks that there is either a key or an error. */
  public KeyExample {
    tiers = tiers.stream().map(List::copyOf).toList();
    if ((key == null) == (error == null)) {
      throw new IllegalArgumentException("key must be given, or else error");
    }
  }

  /** The examples that come with this library. */
  public static List<KeyExample> all() {
    return VectorJson.read("keys.json", KeyFile.class).keys;
  }

  /** The examples of a file. */
  static List<KeyExample> all(String json) {
    return VectorJson.parse(json, KeyFile.class).keys;
  }

  /** The subject as text; null if its bytes are not UTF-8. */
  public @Nullable String subject() {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(subjectHex));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException illFormed) {
      return null;
    }
  }

  private record KeyFile(List<KeyExample> keys) {}
}
