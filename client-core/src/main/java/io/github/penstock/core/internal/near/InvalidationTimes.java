package io.github.penstock.core.internal.near;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The times when keys were last forgotten, one for each stripe of keys: the answer to a call that
 * was sent earlier, or at the same nanosecond, does not count. Safe for use by several threads.
 *
 * <p>Several keys share a stripe, which costs an extra trip now and then. A time is never replaced
 * by an earlier one, however late the thread that brings it. A stored entry is compared with its
 * stripe on each use, and not only on insertion, so that an entry that was stored too late is never
 * used.
 */
final class InvalidationTimes {
  private final AtomicLongArray times;

  /**
   * Times of {@code stripes} stripes.
   *
   * @param stripes a power of two
   * @param startNanos answers to calls after this time count
   */
  InvalidationTimes(int stripes, long startNanos) {
    long[] first = new long[stripes];
    Arrays.fill(first, startNanos - 1);
    times = new AtomicLongArray(first);
  }

  /** Forgets all answers for the key until now. */
  void forget(int hash, long nowNanos) {
    times.accumulateAndGet(stripe(hash), nowNanos, (last, now) -> now - last > 0 ? now : last);
  }

  /** Returns whether the answer to a call at that time still counts. */
  boolean counts(int hash, long askedNanos) {
    return askedNanos - times.get(stripe(hash)) > 0;
  }

  private int stripe(int hash) {
    return hash & (times.length() - 1);
  }
}
