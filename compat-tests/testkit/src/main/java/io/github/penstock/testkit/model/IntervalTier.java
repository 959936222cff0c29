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
  long batches(long units) {
    return (units + tokens - 1) / tokens;
  }

  @Override
  public long fullUs() {
    return batches(capacity) * intervalUs;
  }

  @Override
  public IntervalLevel unused(long nowUs) {
    return new IntervalLevel(this, nowUs, nowUs, 0, false);
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
    return new IntervalLevel(this, nowUs, Math.min(nextUs, latest), missing, nextUs > latest);
  }

  private TierLevel refilled(long nextUs, long missing, long nowUs) {
    long came = 1 + (nowUs - nextUs) / intervalUs;
    return came >= batches(missing)
        ? unused(nowUs)
        : new IntervalLevel(
            this, nowUs, nextUs + came * intervalUs, missing - came * tokens, false);
  }
}
