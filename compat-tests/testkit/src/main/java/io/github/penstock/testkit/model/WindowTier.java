package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BadArgumentException.require;

import java.util.regex.Pattern;

/**
 * A limit on the units of one window, which opens with the first charge.
 *
 * @param limit units, 1 to 10^12
 * @param windowUs 1 µs to 366 days
 */
record WindowTier(long limit, long windowUs) implements ModelTier {
  private static final Pattern FIELD = Pattern.compile("([1-9]\\d{15}):([1-9]\\d{0,12})");

  @Override
  public long fullUs() {
    return windowUs;
  }

  @Override
  public TierLevel unused(long nowUs) {
    return new WindowLevel(this, nowUs, nowUs, 0, false);
  }

  @Override
  public TierLevel read(String field, long nowUs) throws BadArgumentException {
    if (field.equals("0:0")) {
      return unused(nowUs);
    }
    long[] numbers = ModelTier.numbers(FIELD, field);
    long endUs = numbers[0];
    long used = numbers[1];
    require(used <= ProtocolBounds.MOST_UNITS, "state");
    long latest = nowUs + windowUs;
    return endUs <= nowUs
        ? unused(nowUs)
        : new WindowLevel(this, nowUs, Math.min(endUs, latest), used, endUs > latest);
  }
}
