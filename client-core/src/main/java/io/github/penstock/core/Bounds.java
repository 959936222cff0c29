package io.github.penstock.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The protocol's bounds, with the messages that the scripts give. */
final class Bounds {
  static final long MAX_UNITS = 1_000_000_000_000L;
  private static final long MAX_PERIOD_US = 31_622_400_000_000L;
  private static final long CENTURY_US = 3_155_760_000_000_000L;
  private static final long EXACT = (1L << 53) - 1;

  private Bounds() {}

  static long units(String name, long value) {
    if (value < 1 || value > MAX_UNITS) {
      throw new IllegalArgumentException(
          name + " must be an integer from 1 to " + MAX_UNITS + ": " + value);
    }
    return value;
  }

  static long periodMicros(String name, Duration period) {
    long micros = period.getSeconds() > MAX_PERIOD_US / 1_000_000 ? -1 : micros(period);
    if (micros < 1 || micros > MAX_PERIOD_US) {
      throw new IllegalArgumentException(
          name + " must be an integer from 1 to " + MAX_PERIOD_US + ": " + period);
    }
    if (period.getNano() % 1000 != 0) {
      throw new IllegalArgumentException(name + " must be whole microseconds: " + period);
    }
    return micros;
  }

  /** The period in microseconds, rounded down; 0 for what is not positive. */
  static long micros(Duration period) {
    return period.isNegative() ? 0 : period.getSeconds() * 1_000_000 + period.getNano() / 1000;
  }

  /** Checks that a bucket can be computed exactly and is full or empty again within 100 years. */
  static void bucket(long capacity, long units, long periodMicros) {
    long reducedUnits = units;
    long reducedPeriod = periodMicros;
    if (capacity > EXACT / periodMicros) {
      long divisor = greatestCommonDivisor(units, periodMicros);
      reducedUnits = units / divisor;
      reducedPeriod = periodMicros / divisor;
    }
    if (capacity > EXACT / reducedPeriod) {
      throw new IllegalArgumentException(
          "capacity must be small enough that its product with the reduced period stays below 2^53: "
              + bucketText(capacity, units, periodMicros));
    }
    if (reducedUnits <= (capacity * reducedPeriod - 1) / CENTURY_US) {
      throw new IllegalArgumentException(
          "capacity must refill or drain within 100 years: "
              + bucketText(capacity, units, periodMicros));
    }
  }

  private static String bucketText(long capacity, long units, long periodMicros) {
    return capacity + " at " + units + " per " + periodMicros + " us";
  }

  /** The tiers as an immutable list. */
  static <T> List<T> tiers(List<T> tiers) {
    if (tiers.isEmpty() || tiers.size() > Limit.MAX_TIERS) {
      throw new IllegalArgumentException(
          "tier must be given 1 to " + Limit.MAX_TIERS + " times: " + tiers.size());
    }
    return List.copyOf(tiers);
  }

  static <T> List<T> joined(List<T> first, List<T> then) {
    List<T> all = new ArrayList<>(first);
    all.addAll(then);
    return all;
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }
}
