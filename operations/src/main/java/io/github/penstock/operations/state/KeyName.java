package io.github.penstock.operations.state;

import io.github.penstock.core.engine.KeyFormat;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The parts of a key's name, by the protocol's convention.
 *
 * @param subject as it stands in the key
 * @param algorithm the one of the marker; of the two buckets that share it, the token bucket
 * @param tiers the numbers of each tier, without the limit of a window, which no key tells
 */
public record KeyName(
    String policy, String subject, ScriptAlgorithm algorithm, List<List<Long>> tiers) {
  /** A prefix or a policy. */
  private static final String NAME = "[A-Za-z0-9._-]{1,64}";

  private static final String MARKER =
      "(?<family>[bi](?=\\d+\\.\\d+\\.\\d+(-\\d+\\.\\d+\\.\\d+){0,15}$)|[ws](?=\\d+(-\\d+){0,15}$))"
          + "(?<numbers>[0-9.-]+)";
  private static final Pattern KEY =
      Pattern.compile(NAME + ":(?<policy>" + NAME + "):\\{(?<subject>[^{}]+)}:" + MARKER);
  private static final int LONGEST_NUMBER = 15;

  /** Copies the list. */
  public KeyName {
    tiers = List.copyOf(tiers);
  }

  /** Reads a name; empty if it does not follow the convention. */
  public static Optional<KeyName> parse(String key) {
    Matcher parts = KEY.matcher(key);
    if (!parts.matches()) {
      return Optional.empty();
    }
    List<List<Long>> tiers =
        Stream.of(parts.group("numbers").split("-")).map(KeyName::numbers).toList();
    return tiers.stream().anyMatch(List::isEmpty)
        ? Optional.empty()
        : Optional.of(
            new KeyName(
                parts.group("policy"),
                parts.group("subject"),
                algorithm(parts.group("family")),
                tiers));
  }

  private static List<Long> numbers(String tier) {
    List<String> numbers = List.of(tier.split("\\."));
    return numbers.stream().anyMatch(number -> number.length() > LONGEST_NUMBER)
        ? List.of()
        : numbers.stream().map(Long::valueOf).toList();
  }

  private static ScriptAlgorithm algorithm(String family) {
    return switch (family) {
      case "b" -> ScriptAlgorithm.TOKEN_BUCKET;
      case "i" -> ScriptAlgorithm.INTERVAL_BUCKET;
      case "w" -> ScriptAlgorithm.FIXED_WINDOW;
      case "s" -> ScriptAlgorithm.SLIDING_WINDOW;
      default -> throw new IllegalStateException("no script has the family " + family);
    };
  }

  /** All of a key but its marker; a UserErrorException if there is no such key. */
  public static String beforeMarker(String prefix, String policy, String subject) {
    if (!prefix.matches(NAME) || !policy.matches(NAME)) {
      throw new UserErrorException(
          "--prefix and --policy must be 1 to 64 of the characters A-Z a-z 0-9 . _ -.");
    }
    try {
      byte[] key = new KeyFormat(prefix + ":" + policy + ":", "").key(subject);
      return new String(key, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException wrong) {
      throw new UserErrorException("--" + wrong.getMessage() + ".", wrong);
    }
  }
}
