package io.github.penstock.testkit.model;

/**
 * A bucket at one time.
 *
 * @param used units, from 0 to the capacity
 */
record BucketLevel(BucketTier bucket, long nowUs, RationalNumber used, boolean cut)
    implements TierLevel {

  @Override
  public long limit() {
    return bucket.capacity();
  }

  @Override
  public long waitUs(long cost) {
    if (cost > limit()) {
      return NEVER;
    }
    RationalNumber excess = used.plus(RationalNumber.of(cost)).minus(RationalNumber.of(limit()));
    return excess.max(RationalNumber.ZERO).dividedBy(bucket.rate()).ceil();
  }

  @Override
  public TierLevel charged(long cost) {
    return new BucketLevel(bucket, nowUs, used.plus(RationalNumber.of(cost)), cut);
  }

  @Override
  public TierLevel refunded(long units) {
    RationalNumber left = used.minus(RationalNumber.of(units)).max(RationalNumber.ZERO);
    return new BucketLevel(bucket, nowUs, left, cut);
  }

  @Override
  public long remaining() {
    return RationalNumber.of(limit()).minus(used).floor();
  }

  @Override
  public long resetUs() {
    return used.dividedBy(bucket.rate()).ceil();
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
    RationalNumber emptyAt = RationalNumber.of(nowUs).plus(used.dividedBy(bucket.rate()));
    long wholeUs = emptyAt.floor();
    RationalNumber rest =
        emptyAt.minus(RationalNumber.of(wholeUs)).times(RationalNumber.of(bucket.parts()));
    return rest.isZero() ? Long.toString(wholeUs) : wholeUs + "+" + rest;
  }
}
