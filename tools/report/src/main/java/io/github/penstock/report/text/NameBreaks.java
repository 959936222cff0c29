package io.github.penstock.report.text;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The places where a long name such as {@code token-bucket:10/1s+100/1m,burst=120} may be broken:
 * between its numbers, never within one.
 */
public final class NameBreaks {
  private static final Pattern PLACE =
      Pattern.compile("(?<=[a-z]:|\\w\\+)(?=\\d)|(?<=\\w,)(?=[a-z])");

  private NameBreaks() {}

  /** The parts of a name, in their order; one if it has no such place. */
  public static List<String> parts(String name) {
    return List.of(PLACE.split(name));
  }

  /** A text of HTML in which a browser breaks names at these places only, if it must. */
  public static String html(String escaped) {
    return PLACE.matcher(escaped).replaceAll("<wbr>");
  }

  /** A name of at most this many characters: the middle of a longer one is omitted. */
  public static String shortened(String name, int most) {
    if (name.length() <= most) {
      return name;
    }
    int head = most / 2;
    int tail = name.length() - (most - head - 1);
    List<Integer> places = PLACE.matcher(name).results().map(MatchResult::start).toList();
    int begin = places.stream().filter(place -> place <= head).reduce(head, (a, b) -> b);
    int end = places.stream().filter(place -> place >= tail).findFirst().orElse(tail);
    return name.substring(0, begin) + "…" + name.substring(end);
  }
}
