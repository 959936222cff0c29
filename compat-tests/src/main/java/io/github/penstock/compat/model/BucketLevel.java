package io.github.penstock.compat.model;

/**
 * A bucket at one time.
 *
 * @param used units, from 0 to the capacity
 */
record BucketLevel(Bucket bucket, long nowUs, Rational used, boolean cut) implements Level {

  @Override
  public long limit() {
    return bucket.capacity();
  }

  @Override
  public long waitUs(long cost) {
    if (cost > limit()) {
      return NEVER;
    }
    Rational excess = used.plus(Rational.of(cost)).minus(Rational.of(limit()));
    return excess.max(Rational.ZERO).dividedBy(bucket.rate()).ceil();
  }

  @Override
  public Level charged(long cost) {
    return new BucketLevel(bucket, nowUs, used.plus(Rational.of(cost)), cut);
  }

  @Override
  public Level refunded(long units) {
    Rational left = used.minus(Rational.of(units)).max(Rational.ZERO);
    return new BucketLevel(bucket, nowUs, left, cut);
  }

  @Override
  public long remaining() {
    return Rational.of(limit()).minus(used).floor();
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
    Rational emptyAt = Rational.of(nowUs).plus(used.dividedBy(bucket.rate()));
    long wholeUs = emptyAt.floor();
    Rational rest = emptyAt.minus(Rational.of(wholeUs)).times(Rational.of(bucket.parts()));
    return rest.isZero() ? Long.toString(wholeUs) : wholeUs + "+" + rest;
  }
}
