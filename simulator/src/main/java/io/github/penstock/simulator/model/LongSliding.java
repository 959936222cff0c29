package io.github.penstock.simulator.model;

/**
 * A window that slides along. Its state is when the open window ends, what is used of it, and what
 * was used of the window before, which counts with the part of it that is in sight.
 */
final class LongSliding extends LongTier {
  private final long windowUs;
  private long nowUs;
  private long endUs;
  private long used;
  private long older;

  LongSliding(long limit, long windowUs) {
    super(limit);
    this.windowUs = windowUs;
  }

  @Override
  void read(long[] state, int at, long nowUs) {
    this.nowUs = nowUs;
    endUs = state[at];
    used = state[at + 1];
    older = state[at + 2];
    if (endUs <= nowUs) {
      endUs += windowUs;
      older = used;
      used = 0;
    }
    if (endUs <= nowUs || used + older == 0) {
      endUs = nowUs;
      older = 0;
    }
  }

  @Override
  void write(long[] state, int at) {
    state[at] = endUs;
    state[at + 1] = used;
    state[at + 2] = older;
  }

  @Override
  long roomInUs(long units) {
    if (fading() + used + units <= limit) {
      return 0;
    }
    long room = limit - used - units;
    return room >= 0
        ? endUs - nowUs - quotient(room, windowUs, older)
        : endUs - nowUs + windowUs - quotient(limit - units, windowUs, used);
  }

  /* What the older window counts, rounded up. */
  private long fading() {
    long sightUs = endUs - nowUs;
    long down = quotient(older, sightUs, windowUs);
    // The difference is less than a window, so it is right even where the products are not.
    return older * sightUs == down * windowUs ? down : down + 1;
  }

  @Override
  void charge(long units) {
    endUs = endUs == nowUs ? nowUs + windowUs : endUs;
    used += units;
  }

  @Override
  long remaining() {
    return limit - used - fading();
  }

  @Override
  long resetUs() {
    return used > 0 ? endUs - nowUs + windowUs : endUs - nowUs;
  }
}
