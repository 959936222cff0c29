package io.github.penstock.simulator.model;

import java.math.BigInteger;

/**
 * A bucket that drains evenly. What is used counts in parts of a unit, {@code periodUs} to a unit,
 * of which it loses {@code units} in a µs. Its state is the µs at which it is empty, and the parts
 * that are left then.
 */
final class LongBucket extends LongTier {
  private static final long EXACT_END = 1L << 53;
  private final long units;
  private final long periodUs;
  private final boolean queues;
  private long nowUs;
  private long used;

  private LongBucket(long capacity, long units, long periodUs, boolean queues) {
    super(capacity);
    this.units = units;
    this.periodUs = periodUs;
    this.queues = queues;
  }

  /** Reduces units and period where the script does. */
  static LongBucket of(long capacity, long units, long periodUs, boolean queues) {
    boolean asGiven =
        Math.multiplyHigh(capacity, periodUs) == 0
            && capacity * periodUs >= 0
            && capacity * periodUs < EXACT_END;
    long divisor =
        asGiven ? 1 : BigInteger.valueOf(units).gcd(BigInteger.valueOf(periodUs)).longValueExact();
    return new LongBucket(capacity, units / divisor, periodUs / divisor, queues);
  }

  @Override
  void read(long[] state, int at, long nowUs) {
    this.nowUs = nowUs;
    used = state[at] < nowUs ? 0 : (state[at] - nowUs) * units + state[at + 1];
  }

  @Override
  void write(long[] state, int at) {
    state[at] = nowUs + used / units;
    state[at + 1] = used % units;
  }

  @Override
  long roomInUs(long cost) {
    return roundedUp(Math.max(0, used - (limit - cost) * periodUs), units);
  }

  @Override
  void charge(long cost) {
    used += cost * periodUs;
  }

  @Override
  long remaining() {
    return limit - roundedUp(used, periodUs);
  }

  @Override
  long resetUs() {
    return roundedUp(used, units);
  }

  @Override
  long backlogUs() {
    return queues ? resetUs() : 0;
  }
}
