package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Candidate.Allowance;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.LeakyBucket;
import io.github.penstock.core.Limit;
import io.github.penstock.core.TokenBucket;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code ALGORITHM:UNITS/PERIOD[,burst=N][+UNITS/PERIOD[,burst=N]]...}, such as {@code
 * token-bucket:100/1m,burst=20}. A bucket without a burst holds as many units as it gains in a
 * period.
 */
final class LimitText {
  static final String GRAMMAR = "ALGORITHM:UNITS/PERIOD[,burst=N][+UNITS/PERIOD[,burst=N]...]";
  private static final List<String> ALGORITHMS =
      List.of("fixed-window", "token-bucket", "leaky-bucket");
  private static final Pattern TIER = Pattern.compile("([^/,]*)/([^/,]*)(?:,burst=([^/,]*))?");
  private static final Pattern UNITS = Pattern.compile("-?[0-9][0-9_]*");
  private static final BigInteger MOST_UNITS = BigInteger.valueOf(1_000_000_000_000L);
  private static final long LONGEST_US = 31_622_400_000_000L;
  private final String text;

  LimitText(String text) {
    this.text = text;
  }

  /** Throws an IllegalArgumentException that names the text and the rule it breaks. */
  Candidate candidate() {
    int colon = text.indexOf(':');
    String algorithm = colon < 0 ? text : text.substring(0, colon);
    require(
        ALGORITHMS.contains(algorithm),
        "it must begin with one of " + String.join(", ", ALGORITHMS) + " and a colon");
    require(colon > 0, "it must go on with a colon, as in " + algorithm + ":100/1m");
    boolean window = algorithm.equals("fixed-window");
    List<Allowance> allowances =
        Arrays.stream(text.substring(colon + 1).split("\\+", -1))
            .map(tier -> allowance(tier, window))
            .toList();
    try {
      return new Candidate(text, limit(algorithm, allowances), allowances);
    } catch (IllegalArgumentException outOfBounds) {
      throw new IllegalArgumentException("'" + text + "': " + outOfBounds.getMessage());
    }
  }

  private Allowance allowance(String tier, boolean window) {
    Matcher parts = TIER.matcher(tier);
    require(
        parts.matches(),
        "it must have UNITS/PERIOD for each limit, such as 100/1m"
            + (window ? "" : " or 100/1m,burst=20")
            + ", joined by +");
    long units = units("units", parts.group(1));
    long periodUs = period(parts.group(2));
    String burst = parts.group(3);
    require(burst == null || !window, "it has a burst, which a fixed-window does not have");
    return new Allowance(units, periodUs, burst == null ? units : units("burst", burst));
  }

  private long units(String name, String number) {
    require(UNITS.matcher(number).matches(), name + " must be a whole number: " + number);
    BigInteger units = new BigInteger(number.replace("_", ""));
    require(
        units.signum() > 0 && units.compareTo(MOST_UNITS) <= 0,
        name + " must be from 1 to " + MOST_UNITS + ": " + number);
    return units.longValue();
  }

  private long period(String period) {
    long micros = micros(period);
    require(micros > 0 && micros <= LONGEST_US, "the period must be from 1us to 366d: " + period);
    return micros;
  }

  private long micros(String period) {
    try {
      return Span.parse(period);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("'" + text + "': " + wrong.getMessage());
    }
  }

  private static Limit limit(String algorithm, List<Allowance> allowances) {
    return switch (algorithm) {
      case "fixed-window" ->
          new FixedWindow(
              each(allowances, a -> new FixedWindow.Tier(a.units(), Span.of(a.periodUs()))));
      case "token-bucket" ->
          new TokenBucket(
              each(
                  allowances,
                  a -> new TokenBucket.Tier(a.burst(), a.units(), Span.of(a.periodUs()))));
      default ->
          new LeakyBucket(
              each(
                  allowances,
                  a -> new LeakyBucket.Tier(a.burst(), a.units(), Span.of(a.periodUs()))));
    };
  }

  private static <T> List<T> each(List<Allowance> allowances, Function<Allowance, T> tier) {
    return allowances.stream().map(tier).toList();
  }

  private void require(boolean condition, String rule) {
    if (!condition) {
      throw new IllegalArgumentException("'" + text + "': " + rule);
    }
  }
}
