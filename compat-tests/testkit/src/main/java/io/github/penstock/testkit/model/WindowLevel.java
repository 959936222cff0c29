package io.github.penstock.testkit.model;

/**
 * A window at one time; nothing used means that no window is open.
 *
 * @param endUs when the open window ends
 * @param used units charged in the open window, more than the limit if that was lowered since
 */
record WindowLevel(WindowTier window, long nowUs, long endUs, long used, boolean cut)
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
    return new WindowLevel(window, nowUs, end, used + cost, cut);
  }

  @Override
  public TierLevel refunded(long units) {
    return new WindowLevel(window, nowUs, endUs, Math.max(0, used - units), cut);
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
