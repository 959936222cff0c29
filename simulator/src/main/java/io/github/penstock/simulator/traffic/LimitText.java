package io.github.penstock.simulator.traffic;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.simulator.traffic.LimitCandidate.Allowance;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code ALGORITHM:UNITS/PERIOD[,burst=N][+UNITS/PERIOD[,burst=N]]...}, such as {@code
 * token-bucket:100/1m,burst=20}. A bucket without a burst holds as many units as it gains in a
 * period.
 */
public final class LimitText {
  public static final String GRAMMAR =
      "ALGORITHM:UNITS/PERIOD[,burst=N][+UNITS/PERIOD[,burst=N]...]";
  private static final List<String> ALGORITHMS =
      List.of("fixed-window", "sliding-window", "token-bucket", "leaky-bucket", "interval-bucket");
  private static final Pattern TIER = Pattern.compile("([^/,]*)/([^/,]*)(?:,burst=([^/,]*))?");
  private static final Pattern UNITS = Pattern.compile("-?[0-9][0-9_]*");
  private static final Pattern PERIOD = Pattern.compile("(-?\\d+)?(us|ms|s|m|h|d)");
  private static final Map<String, Long> PERIODS_US =
      Map.of(
          "us",
          1L,
          "ms",
          1_000L,
          "s",
          1_000_000L,
          "m",
          60_000_000L,
          "h",
          3_600_000_000L,
          "d",
          86_400_000_000L);
  private static final BigInteger MOST_UNITS = BigInteger.valueOf(TrafficRequest.MOST_UNITS);
  private static final BigInteger LONGEST_US = BigInteger.valueOf(366 * 86_400_000_000L);
  private final String text;

  LimitText(String text) {
    this.text = text;
  }

  /** Throws an IllegalArgumentException that names the text and the rule it breaks. */
  LimitCandidate candidate() {
    int colon = text.indexOf(':');
    String algorithm = colon < 0 ? text : text.substring(0, colon);
    require(
        ALGORITHMS.contains(algorithm),
        "it must begin with one of " + String.join(", ", ALGORITHMS) + " and a colon");
    require(colon > 0, "it must go on with a colon, as in " + algorithm + ":100/1m");
    boolean window = algorithm.endsWith("-window");
    List<Allowance> allowances =
        Arrays.stream(text.substring(colon + 1).split("\\+", -1))
            .map(tier -> allowance(tier, window))
            .toList();
    require(
        allowances.size() <= Limit.MAX_TIERS,
        "it has %d limits, and one call takes %d at most"
            .formatted(allowances.size(), Limit.MAX_TIERS));
    try {
      return new LimitCandidate(text, limit(algorithm, allowances), allowances);
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
    require(burst == null || !window, "it has a burst, which a window does not have");
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

  /* A unit without a number is one of it. */
  private long period(String period) {
    Matcher parts = PERIOD.matcher(period);
    require(
        parts.matches(),
        "the period must be a number with us, ms, s, m, h or d, such as 1m: " + period);
    BigInteger number = parts.group(1) == null ? BigInteger.ONE : new BigInteger(parts.group(1));
    BigInteger micros =
        number.multiply(BigInteger.valueOf(PERIODS_US.getOrDefault(parts.group(2), 0L)));
    require(
        micros.signum() > 0 && micros.compareTo(LONGEST_US) <= 0,
        "the period must be from 1us to 366d: " + period);
    return micros.longValue();
  }

  private static Limit limit(String algorithm, List<Allowance> tiers) {
    return switch (algorithm) {
      case "fixed-window" ->
          new FixedWindow(each(tiers, a -> new FixedWindow.Tier(a.units(), period(a))));
      case "sliding-window" ->
          new SlidingWindow(each(tiers, a -> new SlidingWindow.Tier(a.units(), period(a))));
      case "interval-bucket" ->
          new IntervalBucket(
              each(tiers, a -> new IntervalBucket.Tier(a.burst(), a.units(), period(a))));
      case "token-bucket" ->
          new TokenBucket(each(tiers, a -> new TokenBucket.Tier(a.burst(), a.units(), period(a))));
      default ->
          new LeakyBucket(each(tiers, a -> new LeakyBucket.Tier(a.burst(), a.units(), period(a))));
    };
  }

  private static <T> List<T> each(List<Allowance> allowances, Function<Allowance, T> tier) {
    return allowances.stream().map(tier).toList();
  }

  private static Duration period(Allowance allowance) {
    return Duration.of(allowance.periodUs(), ChronoUnit.MICROS);
  }

  private void require(boolean condition, String rule) {
    if (!condition) {
      throw new IllegalArgumentException("'" + text + "': " + rule);
    }
  }
}
