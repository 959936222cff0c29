package io.github.penstock.operations.state;

import io.github.penstock.core.limit.LimitKind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The parts of the name of a key that reservations hold for, by the protocol's convention.
 *
 * @param subject in the form of the key
 * @param tiers the numbers of each tier, without the limit of a window, which no key tells; one
 *     empty list for {@code concurrency}
 */
public record HeldKeyName(String policy, String subject, String script, List<List<Long>> tiers) {
  private static final Pattern KEY =
      Pattern.compile(
          KeyName.HEAD
              + "r(?<family>c$|"
              + KeyName.families(Stream.of(LimitKind.values()).filter(LimitKind::holds))
              + ")(?<numbers>[0-9.-]*)");

  /** Copies the list. */
  public HeldKeyName {
    tiers = List.copyOf(tiers);
  }

  /** Reads a name; empty if it does not follow the convention. */
  public static Optional<HeldKeyName> parse(String key) {
    Matcher parts = KEY.matcher(key);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String script = script(parts.group("family"));
    boolean places = script.equals("concurrency");
    List<List<Long>> tiers =
        places
            ? List.of(List.of())
            : Stream.of(parts.group("numbers").split("-")).map(KeyName::numbers).toList();
    return !places && tiers.stream().anyMatch(List::isEmpty)
        ? Optional.empty()
        : Optional.of(
            new HeldKeyName(parts.group("policy"), KeyName.subject(parts), script, tiers));
  }

  private static String script(String family) {
    return family.equals("c") ? "concurrency" : KeyName.script(family);
  }
}
