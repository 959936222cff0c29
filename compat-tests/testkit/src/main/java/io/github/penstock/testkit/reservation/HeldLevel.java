package io.github.penstock.testkit.reservation;

import io.github.penstock.testkit.reservation.HeldTier.Kind;
import java.math.BigInteger;
import org.apache.commons.numbers.fraction.BigFraction;

/**
 * How much of a tier is used at one time.
 *
 * @param used units; of a window those of the open one
 * @param endUs when the open window ends; 0 if there is none
 * @param older units of the window before, while part of it is in sight
 */
record HeldLevel(HeldTier tier, long nowUs, BigFraction used, long endUs, long older) {

  /** The level at another time, which may be earlier. */
  HeldLevel at(long timeUs) {
    if (tier.kind() == Kind.BUCKET) {
      BigFraction drained = tier.rate().multiply(Math.max(0, timeUs - nowUs));
      BigFraction left = used.subtract(drained);
      return new HeldLevel(tier, timeUs, left.signum() < 0 ? BigFraction.ZERO : left, 0, 0);
    }
    if (endUs == 0) {
      return tier.unused(timeUs);
    }
    if (timeUs < endUs) {
      return new HeldLevel(tier, timeUs, used, Math.min(endUs, timeUs + tier.lengthUs()), older);
    }
    long nextUs = endUs + tier.lengthUs();
    boolean fades = tier.kind() == Kind.SLIDING_WINDOW && !used.isZero() && timeUs < nextUs;
    return fades
        ? new HeldLevel(tier, timeUs, BigFraction.ZERO, nextUs, used.longValue())
        : tier.unused(timeUs);
  }

  /** True if going to an earlier time changes the stored value. */
  boolean isCutBy(long timeUs) {
    return tier.kind() == Kind.BUCKET
        ? timeUs < nowUs && !used.isZero()
        : endUs > timeUs + tier.lengthUs();
  }

  /** After a charge, beyond the limit if need be. */
  HeldLevel charged(long amount) {
    if (amount == 0 || tier.kind() == Kind.CONCURRENCY) {
      return this;
    }
    BigFraction sum = used.add(amount);
    BigFraction after = sum.compareTo(tier.most()) > 0 ? tier.most() : sum;
    boolean opens = tier.kind() != Kind.BUCKET && endUs == 0;
    return new HeldLevel(tier, nowUs, after, opens ? nowUs + tier.lengthUs() : endUs, older);
  }

  /** The units that count against the limit now. */
  private BigFraction weight() {
    return older == 0
        ? used
        : BigFraction.of(endUs - nowUs, tier.lengthUs()).multiply(older).add(used);
  }

  /** Whole units that count against the limit now. */
  long usedUnits() {
    return ceil(weight());
  }

  boolean fits(long cost) {
    return weight().add(cost).compareTo(BigFraction.of(tier.limit())) <= 0;
  }

  /** Whole units that are left beside those that are held. */
  long remaining(long held) {
    return Math.max(0, -ceil(weight().subtract(tier.limit())) - held);
  }

  /** The time from now until it is unused. */
  long resetUs() {
    if (tier.kind() == Kind.BUCKET) {
      return ceil(used.divide(tier.rate()));
    }
    if (endUs == 0) {
      return 0;
    }
    boolean fades = tier.kind() == Kind.SLIDING_WINDOW && !used.isZero();
    return endUs - nowUs + (fades ? tier.lengthUs() : 0);
  }

  /** The numbers that are stored of it. */
  long[] fields() {
    return switch (tier.kind()) {
      case BUCKET -> new long[] {ceil(used.multiply(tier.lengthUs()))};
      case CONCURRENCY -> new long[0];
      default -> new long[] {used.longValue(), endUs, older};
    };
  }

  private static long ceil(BigFraction number) {
    BigInteger[] parts = number.getNumerator().divideAndRemainder(number.getDenominator());
    return parts[0].longValueExact() + Math.max(0, parts[1].signum());
  }
}
