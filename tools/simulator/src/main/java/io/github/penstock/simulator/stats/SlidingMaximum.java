package io.github.penstock.simulator.stats;

import java.util.Arrays;

/**
 * The units that passed within the last span of one length, of one subject: a ring of times and
 * units. Its largest sum is the most that passed in any span of that length.
 *
 * <p>Exact: the span {@code [t, t + length)} is tried as it ends with each request, and the fullest
 * of all spans ends with a request. Two that are exactly the length apart are not in one span. To
 * save memory, the sum may be too high only after {@link #group} was called, by the units that
 * passed in a grain. Not safe for use by several threads.
 */
public final class SlidingMaximum {
  private long[] times = new long[1];
  private long[] units = new long[1];
  private int first;
  private int size;
  private long sum;

  /**
   * Adds units that pass at a time, not earlier than the previous one, and forgets those a span or
   * more ago.
   *
   * @param grainUs 0 to keep every time; otherwise times are rounded down to multiples of it
   * @return units in the span that ends with this request
   */
  public long add(long timeUs, long added, long lengthUs, long grainUs) {
    forget(timeUs - lengthUs - grainUs);
    keep(timeUs, added, grainUs);
    sum += added;
    return sum;
  }

  /** Rounds the times down to multiples of a grain, so that fewer are kept. */
  public void group(long grainUs) {
    SlidingMaximum grouped = new SlidingMaximum();
    for (int i = 0; i < size; i++) {
      grouped.keep(times[index(i)], units[index(i)], grainUs);
    }
    times = grouped.times;
    units = grouped.units;
    first = 0;
    size = grouped.size;
  }

  public int size() {
    return size;
  }

  private void forget(long untilUs) {
    while (size > 0 && times[first] <= untilUs) {
      sum -= units[first];
      first = first + 1 & times.length - 1;
      size--;
    }
  }

  private void keep(long timeUs, long added, long grainUs) {
    long kept = grainUs == 0 ? timeUs : timeUs - timeUs % grainUs;
    if (size > 0 && times[index(size - 1)] == kept) {
      units[index(size - 1)] += added;
      return;
    }
    if (size == times.length) {
      times = unrolled(times);
      units = unrolled(units);
      first = 0;
    }
    times[index(size)] = kept;
    units[index(size)] = added;
    size++;
  }

  private long[] unrolled(long[] ring) {
    long[] more = Arrays.copyOfRange(ring, first, first + 2 * ring.length);
    System.arraycopy(ring, 0, more, ring.length - first, first);
    return more;
  }

  private int index(int offset) {
    return first + offset & times.length - 1;
  }
}
