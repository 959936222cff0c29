package io.github.penstock.simulator.stats;

import org.HdrHistogram.Histogram;

/**
 * Waits in microseconds, in memory that does not grow with their number: how many they are, the
 * longest exactly, percentiles to three digits. Not safe for use by several threads.
 */
public final class WaitHistogram {
  private static final int DIGITS = 3;
  private final Histogram histogram = new Histogram(DIGITS);
  private long longest;

  public void add(long us) {
    add(us, 1);
  }

  /** Adds the same wait several times. */
  public void add(long us, long times) {
    histogram.recordValueWithCount(us, times);
    longest = Math.max(longest, us);
  }

  public long count() {
    return histogram.getTotalCount();
  }

  /** The wait that this percentage does not exceed, to three digits; 0 without waits. */
  public long percentile(double percent) {
    return Math.min(histogram.getValueAtPercentile(percent), longest);
  }

  public long longest() {
    return longest;
  }
}
