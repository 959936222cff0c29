package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BadArgumentException.require;

import java.util.regex.Pattern;
import org.apache.commons.numbers.fraction.BigFraction;

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
  public TierLevel unused(long nowUs) {
    return new Level(this, nowUs, nowUs, 0, 0, false);
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
      return new Level(this, nowUs, Math.min(endUs, latest), used, older, endUs > latest);
    }
    long nextEndUs = endUs + windowUs;
    return nextEndUs > nowUs && used > 0
        ? new Level(this, nowUs, nextEndUs, 0, used, false)
        : unused(nowUs);
  }

  /**
   * A sliding window at one time; nothing used in either window means that none is open.
   *
   * @param endUs when the open window ends
   * @param used units charged in the open window
   * @param older units charged in the window before it
   */
  private record Level(
      SlidingTier window, long nowUs, long endUs, long used, long older, boolean cut)
      implements TierLevel {
    @Override
    public long limit() {
      return window.limit();
    }

    @Override
    public long roomInUs(long cost) {
      if (weightNow().add(cost).compareTo(BigFraction.of(limit())) <= 0) {
        return 0;
      }
      long room = limit() - used - cost;
      return room >= 0
          ? sightUs() - inSightUs(room, older)
          : sightUs() + window.windowUs() - inSightUs(limit() - cost, used);
    }

    /**
     * Returns how long before its end a window that is fading counts for no more than the room
     * there is.
     */
    private long inSightUs(long room, long count) {
      return BigFraction.of(room, count).multiply(window.windowUs()).longValue();
    }

    private long sightUs() {
      return endUs - nowUs;
    }

    private BigFraction weightNow() {
      return BigFraction.of(sightUs(), window.windowUs()).multiply(older).add(used);
    }

    @Override
    public TierLevel charged(long cost) {
      long end = isUnused() ? nowUs + window.windowUs() : endUs;
      return new Level(window, nowUs, end, used + cost, older, cut);
    }

    @Override
    public TierLevel refunded(long units) {
      long ofOlder = Math.max(0, units - used);
      return new Level(
          window, nowUs, endUs, Math.max(0, used - units), Math.max(0, older - ofOlder), cut);
    }

    @Override
    public long remaining() {
      return Math.max(0, limit() - BucketTier.ceil(weightNow()));
    }

    @Override
    public long resetUs() {
      if (isUnused()) {
        return 0;
      }
      return used > 0 ? sightUs() + window.windowUs() : sightUs();
    }

    @Override
    public boolean isUnused() {
      return used == 0 && older == 0;
    }

    @Override
    public String field() {
      return isUnused() ? "0:0:0" : endUs + ":" + used + ":" + older;
    }
  }
}
