package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parses the text of a limit from left to right, and reports the first mistake. The grammar is in
 * docs/limits.md.
 */
final class LimitParser {
  private static final String ALGORITHMS =
      Stream.of(LimitKind.values())
          .map(kind -> kind.script().scriptName())
          .collect(Collectors.joining(", "));
  private static final String BURST = ",burst=";
  private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:_[0-9]+)*");
  private static final Pattern PERIOD = Pattern.compile("([0-9]+(?:_[0-9]+)*)?([a-z]+)");
  private static final int LONGEST_EXCERPT = 40;
  private static final int MOST_DIGITS = 15;
  private final String text;

  LimitParser(String text) {
    this.text = Objects.requireNonNull(text, "text");
  }

  Limit limit() {
    int colon = text.indexOf(':');
    String algorithm = colon < 0 ? text : text.substring(0, colon);
    return LimitKind.named(algorithm)
        .map(kind -> limit(algorithm, kind))
        .orElseThrow(
            () ->
                wrong(
                    0,
                    algorithm,
                    "a limit must begin with one of " + ALGORITHMS + ", and a colon"));
  }

  private Limit limit(String algorithm, LimitKind kind) {
    int start = algorithm.length() + 1;
    if (start > text.length()) {
      throw wrong(text.length(), "", "a colon must follow, as in " + algorithm + ":100/1m");
    }
    List<LimitTier> tiers = new ArrayList<>();
    while (start <= text.length()) {
      int plus = text.indexOf('+', start);
      int end = plus < 0 ? text.length() : plus;
      if (tiers.size() == Limit.MAX_TIERS) {
        throw wrong(start, text.substring(start, end), "a limit has at most 16 tiers");
      }
      tiers.add(tier(start, end, kind));
      start = end + 1;
    }
    return Limit.of(kind, tiers);
  }

  /* Creates the limit of each tier separately, so that an error has a position. */
  private LimitTier tier(int start, int end, LimitKind kind) {
    String tier = text.substring(start, end);
    int slash = tier.indexOf('/');
    if (slash < 0) {
      throw wrong(start, tier, "a tier must be UNITS/PERIOD, such as 100/1m");
    }
    long units = units("units", start, tier.substring(0, slash));
    int comma = tier.indexOf(',', slash);
    int rest = comma < 0 ? tier.length() : comma;
    Duration period = period(start + slash + 1, tier.substring(slash + 1, rest));
    long capacity = comma < 0 ? units : burst(start + comma, tier.substring(comma), kind);
    try {
      return Limit.of(kind, List.of(LimitTier.of(capacity, units, period))).tiers().get(0);
    } catch (IllegalArgumentException outOfBounds) {
      throw wrong(start, tier, String.valueOf(outOfBounds.getMessage()));
    }
  }

  private long burst(int at, String burst, LimitKind kind) {
    if (!kind.holdsBurst()) {
      throw wrong(at, burst, "a window has no burst");
    }
    if (!burst.startsWith(BURST)) {
      throw wrong(at, burst, "only ,burst=N may follow the period");
    }
    return units("burst", at + BURST.length(), burst.substring(BURST.length()));
  }

  private long units(String name, int at, String number) {
    long units = NUMBER.matcher(number).matches() ? number(number) : 0;
    if (units < 1 || units > Limit.MAX_UNITS) {
      throw wrong(at, number, name + " must be a whole number from 1 to " + Limit.MAX_UNITS);
    }
    return units;
  }

  /* A unit without a number, such as {@code m}, means one such unit. */
  private Duration period(int at, String period) {
    Matcher parts = PERIOD.matcher(period);
    PeriodUnit unit = parts.matches() ? PeriodUnit.of(parts.group(2)) : null;
    if (unit == null) {
      throw wrong(at, period, "a period must be a number with us, ms, s, m, h or d, such as 1m");
    }
    Duration length = unit.times(parts.group(1) == null ? 1 : number(parts.group(1)));
    if (length == null) {
      throw wrong(at, period, "a period must be from 1us to 366d");
    }
    return length;
  }

  /* A number with too many digits exceeds every bound. */
  private static long number(String number) {
    String digits = number.replace("_", "").replaceFirst("^0+(?=.)", "");
    return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
  }

  private IllegalArgumentException wrong(int at, String words, String rule) {
    String hint = LimitHint.of(text).map(meant -> "; did you mean \"" + meant + "\"?").orElse("");
    return new IllegalArgumentException(
        "limit \"" + text + "\" at " + at + ", \"" + excerpt(words) + "\": " + rule + hint);
  }

  private static String excerpt(String words) {
    return words.length() > LONGEST_EXCERPT ? words.substring(0, LONGEST_EXCERPT) + "..." : words;
  }
}
