package io.github.penstock.core.internal.near;

import java.util.concurrent.atomic.LongAdder;

/**
 * Units that were charged ahead since the start, and how they were used. Units that are neither
 * used nor expired are held, or have expired without being counted since. Safe for use by several
 * threads.
 *
 * @param leased in addition to those that the charging call requested for itself
 * @param used those of them that were handed out
 * @param expired those that expired unused
 */
public record LeaseCounts(LongAdder leased, LongAdder used, LongAdder expired) {
  LeaseCounts() {
    this(new LongAdder(), new LongAdder(), new LongAdder());
  }
}
