package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BadArgumentException.require;

import java.util.regex.Pattern;

/**
 * A bucket that gains {@code tokens} at once at the end of every interval, counted from the first
 * charge of the full bucket.
 *
 * @param capacity units, 1 to 10^12
 * @param tokens units of a batch, 1 to 10^12, possibly more than the capacity
 * @param intervalUs 1 µs to 366 days
 */
record IntervalTier(long capacity, long tokens, long intervalUs) implements ModelTier {
  private static final Pattern FIELD = Pattern.compile("([1-9]\\d{15}):([1-9]\\d{0,12})");

  /** A bucket of checked numbers, unless it takes too long to refill ({@code capacity}). */
  static IntervalTier of(long capacity, long tokens, long intervalUs) throws BadArgumentException {
    IntervalTier bucket = new IntervalTier(capacity, tokens, intervalUs);
    require(bucket.batches(capacity) <= ProtocolBounds.CENTURY_US / intervalUs, "capacity");
    return bucket;
  }

  /** Returns the number of batches that bring this number of units. */
  private long batches(long units) {
    return (units + tokens - 1) / tokens;
  }

  @Override
  public long fullUs() {
    return batches(capacity) * intervalUs;
  }

  @Override
  public TierLevel unused(long nowUs) {
    return new Level(this, nowUs, nowUs, 0, false);
  }

  @Override
  public TierLevel read(String field, long nowUs) throws BadArgumentException {
    if (field.equals("0:0")) {
      return unused(nowUs);
    }
    long[] numbers = ModelTier.numbers(FIELD, field);
    long nextUs = numbers[0];
    long missing = numbers[1];
    require(missing <= capacity, "state");
    if (nextUs <= nowUs) {
      return refilled(nextUs, missing, nowUs);
    }
    long latest = nowUs + intervalUs;
    return new Level(this, nowUs, Math.min(nextUs, latest), missing, nextUs > latest);
  }

  private TierLevel refilled(long nextUs, long missing, long nowUs) {
    long came = 1 + (nowUs - nextUs) / intervalUs;
    return came >= batches(missing)
        ? unused(nowUs)
        : new Level(this, nowUs, nextUs + came * intervalUs, missing - came * tokens, false);
  }

  /**
   * An interval bucket at one time; a full one waits for no batch.
   *
   * @param nextUs when the next batch comes
   * @param missing units missing from a full bucket, from 0 to the capacity
   */
  private record Level(IntervalTier bucket, long nowUs, long nextUs, long missing, boolean cut)
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
      return new Level(bucket, nowUs, next, missing + cost, cut);
    }

    @Override
    public TierLevel refunded(long units) {
      return new Level(bucket, nowUs, nextUs, Math.max(0, missing - units), cut);
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
}
