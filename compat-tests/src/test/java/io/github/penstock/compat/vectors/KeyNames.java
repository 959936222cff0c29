package io.github.penstock.compat.vectors;

import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The protocol's convention for keys, from bytes: {@code <prefix>:<policy>:{<subject>}:<marker>}.
 */
public final class KeyNames {
  private static final int LONGEST_SUBJECT = 128;

  private KeyNames() {}

  /**
   * The key of a subject under a policy and a setting.
   *
   * @throws IllegalArgumentException if a part breaks its rule; the message begins with the name of
   *     the part
   */
  public static String key(
      String prefix,
      String policy,
      byte[] subject,
      ScriptAlgorithm script,
      List<List<Long>> tiers) {
    return name(prefix, "prefix")
        + ":"
        + name(policy, "policy")
        + ":{"
        + subject(subject)
        + "}:"
        + marker(script, tiers);
  }

  private static String name(String text, String part) {
    if (!text.matches("[A-Za-z0-9._-]{1,64}")) {
      throw new IllegalArgumentException(part + " must match [A-Za-z0-9._-]{1,64}");
    }
    return text;
  }

  static String subject(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("subject must not be empty");
    }
    String text = decode(bytes);
    if (bytes.length > LONGEST_SUBJECT) {
      return "%sha256-" + HexFormat.of().formatHex(sha256(bytes));
    }
    return text.codePoints()
        .mapToObj(c -> isSpecial(c) ? String.format("%%%02X", c) : Character.toString(c))
        .collect(Collectors.joining());
  }

  private static boolean isSpecial(int codePoint) {
    return codePoint < 0x20 || codePoint == 0x7f || "%{}".indexOf(codePoint) >= 0;
  }

  private static String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException illFormed) {
      throw new IllegalArgumentException("subject must be well-formed UTF-8", illFormed);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static String marker(ScriptAlgorithm script, List<List<Long>> tiers) {
    LuaScript.KeyMarker marker = LuaScript.valueOf(script.name()).marker();
    return tiers.stream()
        .map(tier -> tier.subList(tier.size() - marker.numbers().size(), tier.size()))
        .map(numbers -> numbers.stream().map(String::valueOf).collect(Collectors.joining(".")))
        .collect(Collectors.joining("-", marker.letter(), ""));
  }
}
