package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The protocol's bounds, in the words of the API, and what limits of all kinds have in common. */
final class LimitBounds {
  static final Duration LONGEST = Duration.ofDays(366);
  private static final Duration SHORTEST = Duration.ofNanos(1_000);
  private static final long CENTURY_US = 3_155_760_000_000_000L;
  private static final long EXACT = (1L << 53) - 1;

  private LimitBounds() {}

  static void units(String parameter, long value) {
    if (value < 1 || value > Limit.MAX_UNITS) {
      throw new IllegalArgumentException(
          parameter + " must be from 1 to " + Limit.MAX_UNITS + ": " + value);
    }
  }

  static void period(String parameter, Duration period) {
    if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          parameter + " must be from 1 microsecond to 366 days: " + period);
    }
    if (period.getNano() % 1000 != 0) {
      throw new IllegalArgumentException(parameter + " must be whole microseconds: " + period);
    }
  }

  /**
   * Checks that a bucket, whose numbers are within their bounds, can be computed exactly and is
   * full or empty again within 100 years.
   */
  static void bucket(long capacity, long units, Duration period) {
    long reducedUnits = units;
    long reducedPeriod = TimeUnit.MICROSECONDS.convert(period);
    if (capacity > EXACT / reducedPeriod) {
      long divisor = greatestCommonDivisor(units, reducedPeriod);
      reducedUnits /= divisor;
      reducedPeriod /= divisor;
    }
    if (capacity > EXACT / reducedPeriod) {
      throw new IllegalArgumentException(
          "capacity must be small enough that its product with the reduced period in microseconds"
              + " stays below 2^53: "
              + new LimitRate(capacity, units, period));
    }
    if (reducedUnits <= (capacity * reducedPeriod - 1) / CENTURY_US) {
      throw new IllegalArgumentException(
          "capacity must refill or drain within 100 years: "
              + new LimitRate(capacity, units, period));
    }
  }

  /** Checks that batches of tokens fill a bucket within 100 years. */
  static void batches(long capacity, long tokens, Duration interval) {
    long batches = (capacity - 1) / tokens + 1;
    if (batches > CENTURY_US / TimeUnit.MICROSECONDS.convert(interval)) {
      throw new IllegalArgumentException(
          "capacity must refill within 100 years: " + new LimitRate(capacity, tokens, interval));
    }
  }

  /** The tiers as an immutable list. */
  static <T> List<T> tiers(List<T> tiers) {
    if (tiers.isEmpty() || tiers.size() > Limit.MAX_TIERS) {
      throw new IllegalArgumentException(
          "tiers must be 1 to " + Limit.MAX_TIERS + ": " + tiers.size());
    }
    return List.copyOf(tiers);
  }

  static <T> List<T> joined(List<T> first, List<T> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }

  /** A limit as {@link Limits#parse} reads it. */
  static String text(Limit limit) {
    return limit.rates().stream()
        .map(LimitRate::toString)
        .collect(Collectors.joining("+", limit.algorithm() + ":", ""));
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }
}
