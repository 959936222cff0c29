package io.github.penstock.benchmarks.compare;

import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lengths of time as people write them: {@code 500ms}, {@code 1m}, {@code 24h}. */
final class Span {
  private static final Pattern TEXT = Pattern.compile("(-?\\d+)?(us|ms|s|m|h|d)");
  private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final Map<String, Long> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("d", 86_400_000_000L);
    UNITS.put("h", 3_600_000_000L);
    UNITS.put("m", 60_000_000L);
    UNITS.put("s", 1_000_000L);
    UNITS.put("ms", 1_000L);
    UNITS.put("us", 1L);
  }

  private Span() {}

  /**
   * The length in microseconds; a unit without a number is one of it. What is too long for a number
   * is the longest that there is.
   */
  static long parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "the period must be a number with us, ms, s, m, h or d, such as 1m: " + text);
    }
    BigInteger number = parts.group(1) == null ? BigInteger.ONE : new BigInteger(parts.group(1));
    BigInteger unit = BigInteger.valueOf(UNITS.get(parts.group(2)));
    return number.multiply(unit).max(BigInteger.ZERO).min(LONGEST).longValue();
  }

  static Duration of(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  /** In the largest unit that leaves a whole number: {@code 3 s}, {@code 1 min}. */
  static String exact(long micros) {
    for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
      if (micros % unit.getValue() == 0 && micros >= unit.getValue()) {
        return micros / unit.getValue() + " " + name(unit.getKey());
      }
    }
    return micros + " µs";
  }

  /** As in "so many a": {@code second}, {@code 10 s}. */
  static String each(long micros) {
    return switch (exact(micros)) {
      case "1 s" -> "second";
      case "1 min" -> "minute";
      case "1 h" -> "hour";
      case "1 d" -> "day";
      default -> exact(micros);
    };
  }

  /** What a limit allows: {@code 100 per 10 s and 1,000 per 1 h}. */
  static String rate(Candidate candidate) {
    return candidate.allowances().stream()
        .map(tier -> Say.count(tier.units()) + " per " + each(tier.periodUs()))
        .collect(Collectors.joining(" and "));
  }

  /** With three digits at most, in a unit that fits: {@code 1.23 s}. */
  static String rounded(long micros) {
    for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
      if (micros >= unit.getValue()) {
        double value = (double) micros / unit.getValue();
        String number =
            String.format(
                Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
        return number.replaceFirst("\\.0+$|(?<=\\.\\d)0$", "") + " " + name(unit.getKey());
      }
    }
    return "0";
  }

  private static String name(String unit) {
    return switch (unit) {
      case "m" -> "min";
      case "us" -> "µs";
      default -> unit;
    };
  }
}
