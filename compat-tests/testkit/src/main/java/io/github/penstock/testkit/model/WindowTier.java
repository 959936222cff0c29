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
    return new Level(this, nowUs, nowUs, 0, false);
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
        : new Level(this, nowUs, Math.min(endUs, latest), used, endUs > latest);
  }

  /**
   * A window at one time; nothing used means that no window is open.
   *
   * @param endUs when the open window ends
   * @param used units charged in the open window, more than the limit if that was lowered since
   */
  private record Level(WindowTier window, long nowUs, long endUs, long used, boolean cut)
      implements TierLevel {
    @Override
    public long limit() {
      return window.limit();
    }

    @Override
    public long roomInUs(long cost) {
      return used + cost <= limit() ? 0 : endUs - nowUs;
    }

    @Override
    public TierLevel charged(long cost) {
      long end = isUnused() ? nowUs + window.windowUs() : endUs;
      return new Level(window, nowUs, end, used + cost, cut);
    }

    @Override
    public TierLevel refunded(long units) {
      return new Level(window, nowUs, endUs, Math.max(0, used - units), cut);
    }

    @Override
    public long remaining() {
      return Math.max(0, limit() - used);
    }

    @Override
    public long resetUs() {
      return isUnused() ? 0 : endUs - nowUs;
    }

    @Override
    public boolean isUnused() {
      return used == 0;
    }

    @Override
    public String field() {
      return isUnused() ? "0:0" : endUs + ":" + used;
    }
  }
}
