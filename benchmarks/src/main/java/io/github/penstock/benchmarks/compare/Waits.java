package io.github.penstock.benchmarks.compare;

import org.HdrHistogram.Histogram;

/**
 * Waits in microseconds, in memory that does not grow with their number: how many they are and the
 * longest exactly, percentiles to three digits. Not safe for use by several threads.
 */
final class Waits {
  private static final int DIGITS = 3;
  private final Histogram histogram = new Histogram(DIGITS);
  private long longest;

  void add(long us) {
    histogram.recordValue(us);
    longest = Math.max(longest, us);
  }

  /** How many. */
  long count() {
    return histogram.getTotalCount();
  }

  /** So many percent are not longer, to three digits; 0 if there are none. */
  long percentile(double percent) {
    return Math.min(histogram.getValueAtPercentile(percent), longest);
  }

  /** The longest; 0 if there are none. */
  long longest() {
    return longest;
  }
}
