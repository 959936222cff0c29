package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BadArgumentException.require;

import java.util.regex.Pattern;

/**
 * A limit on the units of a window that slides along with the time.
 *
 * <p>Units are counted in adjoining windows, the first of which begins with the first charge. Two
 * of them matter: the open one, and the older one with that part of it that is still in sight.
 *
 * @param limit units, 1 to 10^12
 * @param windowUs 1 µs to 366 days
 */
record SlidingTier(long limit, long windowUs) implements ModelTier {
  private static final String COUNT = "(0|[1-9]\\d{0,12})";
  private static final Pattern FIELD = Pattern.compile("([1-9]\\d{15}):" + COUNT + ":" + COUNT);

  @Override
  public long fullUs() {
    return 2 * windowUs;
  }

  @Override
  public SlidingLevel unused(long nowUs) {
    return new SlidingLevel(this, nowUs, nowUs, 0, 0, false);
  }

  @Override
  public TierLevel read(String field, long nowUs) throws BadArgumentException {
    if (field.equals("0:0:0")) {
      return unused(nowUs);
    }
    long[] numbers = ModelTier.numbers(FIELD, field);
    long used = numbers[1];
    long older = numbers[2];
    require(Math.max(used, older) <= ProtocolBounds.MOST_UNITS && used + older > 0, "state");
    return at(nowUs, numbers[0], used, older);
  }

  private TierLevel at(long nowUs, long endUs, long used, long older) {
    long latest = nowUs + windowUs;
    if (endUs > nowUs) {
      return new SlidingLevel(this, nowUs, Math.min(endUs, latest), used, older, endUs > latest);
    }
    long nextEndUs = endUs + windowUs;
    return nextEndUs > nowUs && used > 0
        ? new SlidingLevel(this, nowUs, nextEndUs, 0, used, false)
        : unused(nowUs);
  }
}
