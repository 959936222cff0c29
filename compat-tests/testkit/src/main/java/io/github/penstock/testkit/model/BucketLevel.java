package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BucketTier.ceil;

import org.apache.commons.numbers.fraction.BigFraction;

/**
 * A bucket at one time.
 *
 * @param used units, from 0 to the capacity
 */
record BucketLevel(BucketTier bucket, long nowUs, BigFraction used, boolean cut)
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
    return new BucketLevel(bucket, nowUs, used.add(cost), cut);
  }

  @Override
  public TierLevel refunded(long units) {
    BigFraction left = used.subtract(units);
    return new BucketLevel(bucket, nowUs, left.signum() < 0 ? BigFraction.ZERO : left, cut);
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
