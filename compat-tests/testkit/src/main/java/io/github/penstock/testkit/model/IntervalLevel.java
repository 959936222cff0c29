package io.github.penstock.testkit.model;

/**
 * An interval bucket at one time; a full one waits for no batch.
 *
 * @param nextUs when the next batch comes
 * @param missing units missing from a full bucket, from 0 to the capacity
 */
record IntervalLevel(IntervalTier bucket, long nowUs, long nextUs, long missing, boolean cut)
    implements TierLevel {

  @Override
  public long limit() {
    return bucket.capacity();
  }

  @Override
  public long roomInUs(long cost) {
    return untilBroughtUs(missing + cost - limit());
  }

  /** The time until batches have brought this number of units. */
  private long untilBroughtUs(long units) {
    return units <= 0 ? 0 : nextUs - nowUs + (bucket.batches(units) - 1) * bucket.intervalUs();
  }

  @Override
  public TierLevel charged(long cost) {
    long next = isUnused() ? nowUs + bucket.intervalUs() : nextUs;
    return new IntervalLevel(bucket, nowUs, next, missing + cost, cut);
  }

  @Override
  public TierLevel refunded(long units) {
    return new IntervalLevel(bucket, nowUs, nextUs, Math.max(0, missing - units), cut);
  }

  @Override
  public long remaining() {
    return limit() - missing;
  }

  @Override
  public long resetUs() {
    return untilBroughtUs(missing);
  }

  @Override
  public boolean isUnused() {
    return missing == 0;
  }

  @Override
  public String field() {
    return isUnused() ? "0:0" : nextUs + ":" + missing;
  }
}
