package io.github.penstock.testkit.model;

import org.apache.commons.numbers.fraction.BigFraction;

/**
 * A sliding window at one time; nothing used in either window means that none is open.
 *
 * @param endUs when the open window ends
 * @param used units charged in the open window
 * @param older units charged in the window before it
 */
record SlidingLevel(SlidingTier window, long nowUs, long endUs, long used, long older, boolean cut)
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
   * Returns how long before its end a window that is fading counts for no more than the room there
   * is.
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
    return new SlidingLevel(window, nowUs, end, used + cost, older, cut);
  }

  @Override
  public TierLevel refunded(long units) {
    long ofOlder = Math.max(0, units - used);
    return new SlidingLevel(
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
