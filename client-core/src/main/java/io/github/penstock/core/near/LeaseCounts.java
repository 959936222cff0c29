package io.github.penstock.core.near;

import java.util.concurrent.atomic.LongAdder;

/**
 * Units that were charged ahead since the start, and how they were used. What is neither used nor
 * expired is held, or has expired and was not counted since. Safe for use by several threads.
 */
public final class LeaseCounts {
  private final LongAdder leased = new LongAdder();
  private final LongAdder used = new LongAdder();
  private final LongAdder expired = new LongAdder();

  LeaseCounts() {}

  void leased(long units) {
    leased.add(units);
  }

  void used(long units) {
    used.add(units);
  }

  void expired(long units) {
    expired.add(units);
  }

  /** Units that were charged beyond what the call that charged them asked for itself. */
  public long leased() {
    return leased.sum();
  }

  /** Those of them that were handed out. */
  public long used() {
    return used.sum();
  }

  /** Those of them that nobody took in time. */
  public long expired() {
    return expired.sum();
  }
}
