package io.github.penstock.core.internal.near;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Units that one call charged, of which each is handed out once. Safe for use by several threads.
 */
final class LeasedUnits {
  private static final long NANOS_PER_MICRO = 1_000;
  private final AtomicLong left;
  private final long each;
  private final Decision answer;
  private final long sentNanos;
  private final long lifeNanos;

  /**
   * A parcel.
   *
   * @param units the units that may be granted
   * @param each the cost that they were taken for
   * @param answer the server's to the call that charged them
   * @param sentNanos before that call was sent
   * @param lifeNanos how long they live from then on
   */
  LeasedUnits(long units, long each, Decision answer, long sentNanos, long lifeNanos) {
    left = new AtomicLong(units);
    this.each = each;
    this.answer = answer;
    this.sentNanos = sentNanos;
    this.lifeNanos = lifeNanos;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - sentNanos >= lifeNanos;
  }

  long sentNanos() {
    return sentNanos;
  }

  long left() {
    return left.get();
  }

  /** Returns whether the calls that it was taken for can still be served from it. */
  boolean serves() {
    return left.get() >= each;
  }

  /**
   * Takes units, all of them or none, and returns the remaining number; -1 if there are too few.
   */
  long take(long units) {
    long before = left.get();
    while (before >= units) {
      if (left.compareAndSet(before, before - units)) {
        return before - units;
      }
      before = left.get();
    }
    return -1;
  }

  /** Takes all remaining units. */
  long takeAll() {
    return left.getAndSet(0);
  }

  /** The decision for a call that units were handed to. */
  Decision handedOut(long leftNow, long nowNanos) {
    long passed = Math.max(0, nowNanos - sentNanos) / NANOS_PER_MICRO;
    return new Decision(
        true,
        answer.limit(),
        answer.remaining() + leftNow,
        0,
        Math.max(0, answer.resetMicros() - passed),
        answer.tier(),
        DecisionSource.LEASED);
  }
}
