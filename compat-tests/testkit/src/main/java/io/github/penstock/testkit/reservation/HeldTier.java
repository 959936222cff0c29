package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import io.github.penstock.testkit.model.ProtocolBounds;
import java.math.BigInteger;
import org.apache.commons.numbers.fraction.BigFraction;

/**
 * The numbers of one tier of an entry that can be held.
 *
 * @param limit units
 * @param units of a bucket: gained in each {@code lengthUs}; else 0
 * @param lengthUs of a bucket its period, of a window its length, of concurrency 0
 */
record HeldTier(Kind kind, long limit, long units, long lengthUs) {
  private static final BigInteger CENTURY_US = BigInteger.valueOf(ProtocolBounds.CENTURY_US);
  private static final BigInteger EXACT_END = BigInteger.valueOf(ProtocolBounds.EXACT_END);
  private static final BigFraction MOST_UNITS = BigFraction.of(1_000_000_000_000L);

  /** The kinds of tiers. */
  enum Kind {
    BUCKET,
    FIXED_WINDOW,
    SLIDING_WINDOW,
    CONCURRENCY
  }

  /** A bucket of checked numbers, reduced where the protocol reduces them. */
  static HeldTier bucket(long capacity, long units, long periodUs) throws ReservationException {
    HeldTier given = new HeldTier(Kind.BUCKET, capacity, units, periodUs);
    HeldTier bucket = given.fits() ? given : given.reduced();
    require(bucket.fits(), "capacity");
    require(bucket.full().compareTo(bucket.centuryOfUnits()) <= 0, "capacity");
    return bucket;
  }

  private HeldTier reduced() {
    BigFraction rate = BigFraction.of(units, lengthUs);
    return new HeldTier(kind, limit, rate.getNumeratorAsLong(), rate.getDenominatorAsLong());
  }

  private BigInteger full() {
    return BigInteger.valueOf(limit).multiply(BigInteger.valueOf(lengthUs));
  }

  private boolean fits() {
    return full().compareTo(EXACT_END) < 0;
  }

  private BigInteger centuryOfUnits() {
    return BigInteger.valueOf(units).multiply(CENTURY_US);
  }

  /** The most that is used after a charge; the rest is forgiven. */
  BigFraction most() {
    return kind == Kind.BUCKET
        ? BigFraction.of(
            centuryOfUnits().min(EXACT_END.subtract(BigInteger.ONE)), BigInteger.valueOf(lengthUs))
        : MOST_UNITS;
  }

  BigFraction rate() {
    return BigFraction.of(units, lengthUs);
  }

  /** How many numbers are stored of it. */
  int width() {
    return switch (kind) {
      case BUCKET -> 1;
      case FIXED_WINDOW, SLIDING_WINDOW -> 3;
      case CONCURRENCY -> 0;
    };
  }

  HeldLevel unused(long nowUs) {
    return new HeldLevel(this, nowUs, BigFraction.ZERO, 0, 0);
  }

  /** The level that was stored at a time. */
  HeldLevel read(long[] fields, long atUs) throws ReservationException {
    if (kind == Kind.BUCKET) {
      BigFraction used = BigFraction.of(fields[0], lengthUs);
      require(fields[0] >= 0 && used.compareTo(most()) <= 0, "state");
      return new HeldLevel(this, atUs, used, 0, 0);
    }
    if (kind == Kind.CONCURRENCY) {
      return unused(atUs);
    }
    BigFraction used = BigFraction.of(fields[0]);
    require(fields[0] >= 0 && fields[2] >= 0, "state");
    require(used.compareTo(most()) <= 0, "state");
    BigFraction mostOlder = kind == Kind.SLIDING_WINDOW ? most() : BigFraction.ZERO;
    require(BigFraction.of(fields[2]).compareTo(mostOlder) <= 0, "state");
    boolean open = fields[1] > atUs && fields[1] <= atUs + lengthUs;
    require(fields[0] + fields[2] == 0 ? fields[1] == 0 : open, "state");
    return new HeldLevel(this, atUs, used, fields[1], fields[2]);
  }
}
