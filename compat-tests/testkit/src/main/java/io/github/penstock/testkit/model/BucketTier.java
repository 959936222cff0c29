package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BadArgumentException.require;

import java.math.BigInteger;
import java.util.regex.Pattern;
import org.apache.commons.numbers.fraction.BigFraction;

/**
 * A bucket whose used units go down continuously by {@code units} in every {@code periodUs}.
 *
 * <p>The stored remainder counts in parts of 1 / {@link #parts}: the units per period as given, or
 * reduced together with the period where the capacity times the period as given is not below 2^53.
 *
 * @param capacity units, 1 to 10^12
 * @param rate units per µs
 * @param parts into how many parts the stored time divides one µs
 * @param queues true for a leaky bucket, whose admitted calls wait for their turn
 */
record BucketTier(long capacity, BigFraction rate, long parts, boolean queues)
    implements ModelTier {
  private static final Pattern FIELD = Pattern.compile("([1-9]\\d{15})(?:\\+([1-9]\\d{0,12}))?");

  /** A bucket of checked numbers, unless they are too big together ({@code capacity}). */
  static BucketTier of(long capacity, long units, long periodUs, boolean queues)
      throws BadArgumentException {
    BigFraction rate = BigFraction.of(units, periodUs);
    boolean asGiven = fits(capacity, BigInteger.valueOf(periodUs));
    require(asGiven || fits(capacity, rate.getDenominator()), "capacity");
    BigFraction refillUs = BigFraction.of(capacity).divide(rate);
    require(refillUs.compareTo(BigFraction.of(ProtocolBounds.CENTURY_US)) <= 0, "capacity");
    return new BucketTier(capacity, rate, asGiven ? units : rate.getNumeratorAsLong(), queues);
  }

  private static boolean fits(long capacity, BigInteger period) {
    BigInteger product = BigInteger.valueOf(capacity).multiply(period);
    return product.compareTo(BigInteger.valueOf(ProtocolBounds.EXACT_END)) < 0;
  }

  /** The smallest integer that is not less; fails if it does not fit a long. */
  static long ceil(BigFraction number) {
    BigInteger[] parts = number.getNumerator().divideAndRemainder(number.getDenominator());
    return parts[0].longValueExact() + Math.max(0, parts[1].signum());
  }

  @Override
  public long fullUs() {
    return ceil(BigFraction.of(capacity).divide(rate));
  }

  @Override
  public TierLevel unused(long nowUs) {
    return new Level(this, nowUs, BigFraction.ZERO, false);
  }

  @Override
  public TierLevel read(String field, long nowUs) throws BadArgumentException {
    if (field.equals("0")) {
      return unused(nowUs);
    }
    long[] numbers = ModelTier.numbers(FIELD, field);
    long rest = numbers[1];
    require(rest < parts || rest == 0, "state");
    return emptyAt(BigFraction.of(rest, parts).add(numbers[0]), nowUs);
  }

  private TierLevel emptyAt(BigFraction time, long nowUs) {
    BigFraction used = time.subtract(nowUs).multiply(rate);
    BigFraction full = BigFraction.of(capacity);
    boolean cut = used.compareTo(full) > 0;
    BigFraction kept = cut ? full : used.signum() < 0 ? BigFraction.ZERO : used;
    return new Level(this, nowUs, kept, cut);
  }

  /**
   * A bucket at one time.
   *
   * @param used units, from 0 to the capacity
   */
  private record Level(BucketTier bucket, long nowUs, BigFraction used, boolean cut)
      implements TierLevel {
    @Override
    public long limit() {
      return bucket.capacity();
    }

    @Override
    public long roomInUs(long cost) {
      return Math.max(0, ceil(used.add(cost).subtract(limit()).divide(bucket.rate())));
    }

    @Override
    public TierLevel charged(long cost) {
      return new Level(bucket, nowUs, used.add(cost), cut);
    }

    @Override
    public TierLevel refunded(long units) {
      BigFraction left = used.subtract(units);
      return new Level(bucket, nowUs, left.signum() < 0 ? BigFraction.ZERO : left, cut);
    }

    @Override
    public long remaining() {
      return limit() - ceil(used);
    }

    @Override
    public long resetUs() {
      return ceil(used.divide(bucket.rate()));
    }

    @Override
    public long backlogUs() {
      return bucket.queues() ? resetUs() : 0;
    }

    @Override
    public boolean isUnused() {
      return used.isZero();
    }

    @Override
    public String field() {
      if (isUnused()) {
        return "0";
      }
      BigFraction emptyAt = used.divide(bucket.rate()).add(nowUs);
      long wholeUs = emptyAt.longValue();
      BigFraction rest = emptyAt.subtract(wholeUs).multiply(bucket.parts());
      return rest.isZero() ? Long.toString(wholeUs) : wholeUs + "+" + rest;
    }
  }
}
