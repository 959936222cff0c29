package io.github.penstock.benchmarks.result;

import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.util.ListStatistics;

/**
 * The ratio of two figures that were measured interleaved. It is computed within a round, in which
 * each had an iteration: a round is short, so a slowdown of the machine affects both.
 *
 * @param value the ratio
 * @param from half of the rounds lie between this
 * @param to and this; all of them if there are fewer than four
 */
public record RoundRatio(double value, double from, double to) {
  private static final int FEW = 4;

  /** Of decisions a second: the median of the rounds. */
  public static RoundRatio ofMedian(List<Double> ours, List<Double> theirs) {
    List<Double> ratios =
        IntStream.range(0, Math.min(ours.size(), theirs.size()))
            .mapToObj(round -> ours.get(round) / theirs.get(round))
            .sorted()
            .toList();
    if (ratios.isEmpty()) {
      double value = median(ours) / median(theirs);
      return new RoundRatio(value, value, value);
    }
    double value = median(ratios);
    int cut = ratios.size() < FEW ? 0 : ratios.size() / 4;
    double from = Math.min(ratios.get(cut), value);
    return new RoundRatio(value, from, Math.max(ratios.get(ratios.size() - 1 - cut), value));
  }

  /** The middle one, or between the two in the middle; not a number if there are none. */
  public static double median(List<Double> values) {
    return new ListStatistics(values.stream().mapToDouble(Double::doubleValue).toArray())
        .getPercentile(50);
  }

  /** Returns how far the bounds are apart, to the smaller. */
  public double spread() {
    return to / from - 1;
  }
}
