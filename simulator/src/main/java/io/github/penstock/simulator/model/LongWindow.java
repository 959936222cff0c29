package io.github.penstock.simulator.model;

/** A window that opens with a charge. Its state is when it ends, and what is used of it. */
final class LongWindow extends LongTier {
  private final long windowUs;
  private long nowUs;
  private long endUs;
  private long used;

  LongWindow(long limit, long windowUs) {
    super(limit);
    this.windowUs = windowUs;
  }

  @Override
  void read(long[] state, int at, long nowUs) {
    this.nowUs = nowUs;
    boolean open = state[at] > nowUs;
    endUs = open ? state[at] : nowUs;
    used = open ? state[at + 1] : 0;
  }

  @Override
  void write(long[] state, int at) {
    state[at] = endUs;
    state[at + 1] = used;
  }

  @Override
  long roomInUs(long units) {
    return used + units <= limit ? 0 : endUs - nowUs;
  }

  @Override
  void charge(long units) {
    endUs = used == 0 ? nowUs + windowUs : endUs;
    used += units;
  }

  @Override
  long remaining() {
    return limit - used;
  }

  @Override
  long resetUs() {
    return endUs - nowUs;
  }
}
