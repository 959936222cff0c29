package io.github.penstock.simulator.model;

/**
 * A bucket that gains whole batches at whole intervals. Its state is when the next batch comes, and
 * what is missing.
 */
final class LongInterval extends LongTier {
  private final long tokens;
  private final long intervalUs;
  private long nowUs;
  private long nextUs;
  private long missing;

  LongInterval(long capacity, long tokens, long intervalUs) {
    super(capacity);
    this.tokens = tokens;
    this.intervalUs = intervalUs;
  }

  @Override
  void read(long[] state, int at, long nowUs) {
    this.nowUs = nowUs;
    nextUs = state[at];
    missing = state[at + 1];
    if (missing > 0 && nextUs <= nowUs) {
      long came = 1 + (nowUs - nextUs) / intervalUs;
      nextUs += came * intervalUs;
      missing = came >= roundedUp(missing, tokens) ? 0 : missing - came * tokens;
    }
  }

  @Override
  void write(long[] state, int at) {
    state[at] = nextUs;
    state[at + 1] = missing;
  }

  @Override
  long roomInUs(long units) {
    return broughtInUs(missing + units - limit);
  }

  /* The time until batches have brought so many units. */
  private long broughtInUs(long units) {
    return units <= 0 ? 0 : nextUs - nowUs + (roundedUp(units, tokens) - 1) * intervalUs;
  }

  @Override
  void charge(long units) {
    nextUs = missing == 0 ? nowUs + intervalUs : nextUs;
    missing += units;
  }

  @Override
  long remaining() {
    return limit - missing;
  }

  @Override
  long resetUs() {
    return broughtInUs(missing);
  }
}
