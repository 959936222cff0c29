package io.github.penstock.core.internal.near;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How many units a subject took here lately. Safe for use by several threads.
 *
 * <p>It stores a sum and, at intervals, the sum at that time: at most {@value #MARKS} marks within
 * the measured span. So it counts a little too few, never too many.
 */
final class UnitMeter {
  private static final int MARKS = 8;
  private final long spanNanos;
  private final AtomicLong sum = new AtomicLong();
  private final AtomicReference<@Nullable SumMark> marks = new AtomicReference<>();

  /** The sum at a time, or a little later. */
  private static final class SumMark {
    private final long nanos;
    private final long sum;
    private volatile @Nullable SumMark earlier;

    SumMark(long nanos, long sum, @Nullable SumMark earlier) {
      this.nanos = nanos;
      this.sum = sum;
      this.earlier = earlier;
    }
  }

  /** The units taken in the last {@code spanNanos}. */
  UnitMeter(long spanNanos) {
    this.spanNanos = spanNanos;
  }

  /** Counts units that were taken now. */
  void add(long units, long nowNanos) {
    SumMark last = marks.get();
    if (last == null || nowNanos - last.nanos >= spanNanos / MARKS) {
      marks.compareAndSet(last, new SumMark(nowNanos, sum.get(), last));
    }
    sum.addAndGet(units);
  }

  /** Units that were taken in the span that ends now. */
  long taken(long nowNanos) {
    long taken = 0;
    long now = sum.get();
    SumMark mark = marks.get();
    while (mark != null && nowNanos - mark.nanos <= spanNanos) {
      taken = now - mark.sum;
      SumMark earlier = mark.earlier;
      if (earlier != null && nowNanos - earlier.nanos > spanNanos) {
        mark.earlier = null;
      }
      mark = earlier;
    }
    return taken;
  }

  /** Returns whether nothing was taken in that span. */
  boolean isIdle(long nowNanos) {
    SumMark last = marks.get();
    return last == null || nowNanos - last.nanos > 2 * spanNanos;
  }
}
