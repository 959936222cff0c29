package io.github.penstock.simulator.tokens;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The use of one subject's calls over time, each spread evenly over its duration: the sum since the
 * beginning is a line with a bend at each start and end of a call.
 */
final class SpreadUsage {
  private final long[] timesUs;
  private final double[] sums;

  /** Of calls in any order. */
  SpreadUsage(List<TokenCall> calls) {
    // One that takes no time uses everything within a microsecond.
    long[] begins = calls.stream().mapToLong(TokenCall::timeUs).toArray();
    long[] ends =
        calls.stream().mapToLong(call -> Math.max(call.timeUs() + 1, call.endUs())).toArray();
    timesUs =
        LongStream.concat(Arrays.stream(begins), Arrays.stream(ends)).sorted().distinct().toArray();
    double[] bends = new double[timesUs.length];
    for (int i = 0; i < begins.length; i++) {
      double perUs = (double) calls.get(i).used() / (ends[i] - begins[i]);
      bends[Arrays.binarySearch(timesUs, begins[i])] += perUs;
      bends[Arrays.binarySearch(timesUs, ends[i])] -= perUs;
    }
    sums = new double[timesUs.length];
    double perUs = 0;
    for (int i = 1; i < sums.length; i++) {
      perUs += bends[i - 1];
      sums[i] = sums[i - 1] + perUs * (timesUs[i] - timesUs[i - 1]);
    }
  }

  /** The use from one time to another. */
  long between(long fromUs, long toUs) {
    return Math.round(until(toUs) - until(fromUs));
  }

  /** The most that was used in any span of a length: the fullest begins or ends at a bend. */
  long most(long lengthUs) {
    double most =
        IntStream.range(0, timesUs.length)
            .mapToDouble(
                i ->
                    Math.max(
                        until(timesUs[i] + lengthUs) - sums[i],
                        sums[i] - until(timesUs[i] - lengthUs)))
            .max()
            .orElse(0);
    return Math.round(most);
  }

  private double until(long timeUs) {
    int found = Arrays.binarySearch(timesUs, timeUs);
    int after = found >= 0 ? found : -found - 1;
    if (after == 0) {
      return 0;
    }
    if (after == timesUs.length) {
      return sums[after - 1];
    }
    double part = (double) (timeUs - timesUs[after - 1]) / (timesUs[after] - timesUs[after - 1]);
    return sums[after - 1] + part * (sums[after] - sums[after - 1]);
  }
}
