package io.github.penstock.core.limit;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The protocol's bounds, and the checks that limits of all kinds share. Error messages use the
 * names of the API.
 */
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
    Objects.requireNonNull(period, parameter);
    if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          parameter + " must be from 1 microsecond to 366 days: " + period);
    }
    if (period.getNano() % 1000 != 0) {
      throw new IllegalArgumentException(parameter + " must be whole microseconds: " + period);
    }
  }

  /**
   * Checks that a bucket whose numbers are within their bounds can be computed exactly, and is full
   * or empty again within 100 years.
   */
  private static void bucket(LimitTier tier) {
    long capacity = tier.capacity();
    long reducedUnits = tier.units();
    long reducedPeriod = tier.periodMicros();
    if (capacity > EXACT / reducedPeriod) {
      long divisor = greatestCommonDivisor(reducedUnits, reducedPeriod);
      reducedUnits /= divisor;
      reducedPeriod /= divisor;
    }
    if (capacity > EXACT / reducedPeriod) {
      throw new IllegalArgumentException(
          "capacity must be small enough that its product with the reduced period in microseconds"
              + " stays below 2^53: "
              + tier);
    }
    if (reducedUnits <= (capacity * reducedPeriod - 1) / CENTURY_US) {
      throw new IllegalArgumentException("capacity must refill or drain within 100 years: " + tier);
    }
  }

  /** Checks that batches of tokens fill a bucket within 100 years. */
  private static void batches(LimitTier tier) {
    long batches = (tier.capacity() - 1) / tier.units() + 1;
    if (batches > CENTURY_US / tier.periodMicros()) {
      throw new IllegalArgumentException("capacity must refill within 100 years: " + tier);
    }
  }

  /**
   * Returns a limit of one tier; in errors, its units and period have the names that its kind uses.
   */
  static Limit one(
      LimitKind kind,
      long capacity,
      String unitsName,
      long units,
      String periodName,
      Duration period) {
    units(unitsName, units);
    period(periodName, period);
    return Limit.of(kind, List.of(LimitTier.of(capacity, units, period)));
  }

  /** Returns the tiers as an immutable list, each within the bounds of its kind. */
  static List<LimitTier> tiers(LimitKind kind, List<LimitTier> tiers) {
    Objects.requireNonNull(tiers, "tiers")
        .forEach(tier -> Objects.requireNonNull(tier, "one of tiers"));
    if (tiers.isEmpty() || tiers.size() > Limit.MAX_TIERS) {
      throw new IllegalArgumentException(
          "tiers must be 1 to " + Limit.MAX_TIERS + ": " + tiers.size());
    }
    List<LimitTier> copy = List.copyOf(tiers);
    copy.forEach(tier -> tier(kind, tier));
    return copy;
  }

  private static void tier(LimitKind kind, LimitTier tier) {
    if (!kind.holdsBurst() && tier.capacity() != tier.units()) {
      throw new IllegalArgumentException("capacity must equal units in a window: " + tier);
    }
    if (kind.refill() == RefillForm.EVENLY) {
      bucket(tier);
    } else if (kind.refill() == RefillForm.IN_BATCHES) {
      batches(tier);
    }
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }
}
