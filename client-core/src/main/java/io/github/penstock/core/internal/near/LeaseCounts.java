package io.github.penstock.core.internal.near;

import java.util.concurrent.atomic.LongAdder;

/**
 * Units that were charged ahead since the start, and how they were used. Units that are neither
 * used nor expired are held, or have expired without being counted since. Safe for use by several
 * threads.
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

  /** Units that were charged in addition to those that the charging call requested for itself. */
  public long leased() {
    return leased.sum();
  }

  /** Those of them that were handed out. */
  public long used() {
    return used.sum();
  }

  /** Leased units that expired unused. */
  public long expired() {
    return expired.sum();
  }
}
