package io.github.penstock.testkit.model;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
record BucketTier(long capacity, RationalNumber rate, long parts, boolean queues)
    implements ModelTier {
  private static final Pattern FIELD = Pattern.compile("([1-9]\\d{15})(?:\\+([1-9]\\d{0,12}))?");

  /** A bucket of checked numbers, unless they are too big together ({@code capacity}). */
  static BucketTier of(long capacity, long units, long periodUs, boolean queues)
      throws BadArgumentException {
    RationalNumber rate = RationalNumber.of(units, periodUs);
    boolean asGiven = fits(capacity, BigInteger.valueOf(periodUs));
    if (!asGiven && !fits(capacity, rate.denominator())) {
      throw new BadArgumentException("capacity");
    }
    if (RationalNumber.of(capacity)
            .dividedBy(rate)
            .compareTo(RationalNumber.of(ProtocolBounds.CENTURY_US))
        > 0) {
      throw new BadArgumentException("capacity");
    }
    return new BucketTier(
        capacity, rate, asGiven ? units : rate.numerator().longValueExact(), queues);
  }

  private static boolean fits(long capacity, BigInteger period) {
    BigInteger product = BigInteger.valueOf(capacity).multiply(period);
    return product.compareTo(BigInteger.valueOf(ProtocolBounds.EXACT_END)) < 0;
  }

  @Override
  public long fullUs() {
    return RationalNumber.of(capacity).dividedBy(rate).ceil();
  }

  @Override
  public TierLevel unused(long nowUs) {
    return new BucketLevel(this, nowUs, RationalNumber.ZERO, false);
  }

  @Override
  public TierLevel read(String field, long nowUs) throws BadArgumentException {
    if (field.equals("0")) {
      return new BucketLevel(this, nowUs, RationalNumber.ZERO, false);
    }
    Matcher matcher = FIELD.matcher(field);
    if (!matcher.matches()) {
      throw new BadArgumentException("state");
    }
    long wholeUs = Long.parseLong(matcher.group(1));
    long rest = matcher.group(2) == null ? 0 : Long.parseLong(matcher.group(2));
    if (wholeUs >= ProtocolBounds.EXACT_END || rest >= parts && rest > 0) {
      throw new BadArgumentException("state");
    }
    return emptyAt(RationalNumber.of(wholeUs).plus(RationalNumber.of(rest, parts)), nowUs);
  }

  private TierLevel emptyAt(RationalNumber time, long nowUs) {
    RationalNumber used = time.minus(RationalNumber.of(nowUs)).times(rate).max(RationalNumber.ZERO);
    RationalNumber full = RationalNumber.of(capacity);
    return new BucketLevel(this, nowUs, used.min(full), used.compareTo(full) > 0);
  }
}
