package io.github.penstock.simulator.stats;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Counts over time in constant memory: requests, admissions and denials in slots of equal width,
 * which grow when the time does not fit into {@value #MOST} of them.
 *
 * <p>The widths are those that people read on a clock; each is a multiple of the one before, so
 * that no count is ever split. Not safe for use by several threads.
 */
public final class TimeSeries {
  static final int MOST = 300;
  private static final long SECOND_US = 1_000_000;
  private static final long[] WIDTHS_US =
      LongStream.of(
              1,
              2,
              10,
              20,
              100,
              300,
              600,
              3_000,
              6_000,
              18_000,
              36_000,
              108_000,
              216_000,
              432_000,
              864_000,
              6_048_000,
              24_192_000,
              314_496_000)
          .map(tenths -> tenths * SECOND_US / 10)
          .toArray();
  private static final int KINDS = 3;
  private final long[][] slots = new long[KINDS][MOST];
  private long beginUs = -1;
  private int width;
  private int used;

  public enum Kind {
    ASKED,
    PASSED,
    DENIED
  }

  /** Begins with the whole second of a time. */
  void begin(long timeUs) {
    beginUs = timeUs - timeUs % SECOND_US;
  }

  /** Counts units at a time, which must not lie before the whole second of the first one. */
  public void add(Kind kind, long timeUs, long units) {
    if (beginUs < 0) {
      begin(timeUs);
    }
    long slot = (timeUs - beginUs) / WIDTHS_US[width];
    while (slot >= MOST) {
      widen();
      slot = (timeUs - beginUs) / WIDTHS_US[width];
    }
    slots[kind.ordinal()][(int) slot] += units;
    used = Math.max(used, (int) slot + 1);
  }

  private void widen() {
    if (width == WIDTHS_US.length - 1) {
      throw new IllegalStateException("the time is longer than the protocol's clock");
    }
    int factor = (int) (WIDTHS_US[width + 1] / WIDTHS_US[width]);
    for (long[] counts : slots) {
      for (int i = 0; i < MOST; i++) {
        long count = counts[i];
        counts[i] = 0;
        counts[i / factor] += count;
      }
    }
    used = (used + factor - 1) / factor;
    width++;
  }

  /** Makes the slots at least as wide as those of another, so that they can be shown together. */
  public void widenTo(long widthUs) {
    while (widthUs() < widthUs) {
      widen();
    }
  }

  /** The width of a slot in microseconds. */
  public long widthUs() {
    return WIDTHS_US[width];
  }

  /** When the first slot begins, a whole second; -1 before the first count. */
  public long beginUs() {
    return beginUs;
  }

  /** Returns how many slots there are up to the last count. */
  public int size() {
    return used;
  }

  /** The counts, {@link #size} of them. */
  public long[] counts(Kind kind) {
    return Arrays.copyOf(slots[kind.ordinal()], used);
  }
}
