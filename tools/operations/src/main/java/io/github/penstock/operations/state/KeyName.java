package io.github.penstock.operations.state;

import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.report.console.UserErrorException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of a key's name, by the protocol's convention.
 *
 * @param subject in the form of the key
 * @param held whether reservations hold for it
 * @param script the one of the marker, or {@code concurrency}; of the two buckets that share one,
 *     the token bucket
 * @param tiers the numbers of each tier, without the limit of a window, which no key tells; one
 *     empty list for {@code concurrency}
 */
public record KeyName(
    String policy, String subject, boolean held, String script, List<List<Long>> tiers) {
  /** A prefix or a policy. */
  private static final String NAME = "[A-Za-z0-9._-]{1,64}";

  /** All of a key but its marker; a member of a group follows the braces. */
  private static final String HEAD =
      NAME + ":(?<policy>" + NAME + "):\\{(?<group>[^{}]+)}(?<within>/[^{}/]+)?:";

  private static final Pattern KEY =
      Pattern.compile(
          HEAD
              + "(?:(?<held>r(?:c$|"
              + families(Stream.of(LimitKind.values()).filter(LimitKind::holds))
              + "))|(?<family>"
              + families(Stream.of(LimitKind.values()))
              + "))(?<numbers>[0-9.-]*)");
  private static final int LONGEST_NUMBER = 15;

  public KeyName {
    tiers = List.copyOf(tiers);
  }

  /** Reads a name; empty if it does not follow the convention. */
  public static Optional<KeyName> parse(String key) {
    Matcher parts = KEY.matcher(key);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String held = parts.group("held");
    String family = held == null ? parts.group("family") : held.substring(1);
    String script = family.equals("c") ? "concurrency" : script(family);
    List<List<Long>> tiers =
        family.equals("c")
            ? List.of(List.of())
            : Stream.of(parts.group("numbers").split("-")).map(KeyName::numbers).toList();
    if (!family.equals("c") && tiers.stream().anyMatch(List::isEmpty)) {
      return Optional.empty();
    }
    String within = parts.group("within");
    String subject = parts.group("group") + (within == null ? "" : within);
    return Optional.of(new KeyName(parts.group("policy"), subject, held != null, script, tiers));
  }

  private static List<Long> numbers(String tier) {
    List<String> numbers = List.of(tier.split("\\."));
    return numbers.stream().anyMatch(number -> number.length() > LONGEST_NUMBER)
        ? List.of()
        : numbers.stream().map(Long::valueOf).toList();
  }

  /** A pattern of the letters of these kinds, each before as many numbers as it takes. */
  private static String families(Stream<LimitKind> kinds) {
    return kinds
        .map(kind -> kind.script().marker())
        .map(marker -> family(marker.letter(), marker.numbers().size()))
        .distinct()
        .collect(Collectors.joining("|"));
  }

  private static String family(String letter, int numbers) {
    String tier = "\\d+" + "\\.\\d+".repeat(numbers - 1);
    return "%s(?=%s(-%s){0,%d}$)".formatted(letter, tier, tier, Limit.MAX_TIERS - 1);
  }

  /** The script of a letter; of two, the one whose kind comes first. */
  private static String script(String family) {
    return Stream.of(LimitKind.values())
        .map(LimitKind::script)
        .filter(script -> script.marker().letter().equals(family))
        .findFirst()
        .orElseThrow()
        .scriptName();
  }

  /** All of a key but its marker; throws a UserErrorException for an invalid key. */
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
