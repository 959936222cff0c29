package io.github.penstock.benchmarks.result;

import java.util.Collections;
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
  /* Ratios nearer to 1 are called the same: runs of one thing differ by as much. */
  private static final double SAME = 0.05;
  private static final int FEW = 4;

  /** Of decisions a second: the median of the rounds. */
  public static RoundRatio ofMedian(List<Double> ours, List<Double> theirs) {
    List<Double> ratios = byRound(ours, theirs);
    return between(ratios.isEmpty() ? median(ours) / median(theirs) : median(ratios), ratios);
  }

  /** Of times on the server: of the best rounds. */
  public static RoundRatio ofBest(List<Double> ours, List<Double> theirs) {
    return between(Collections.min(ours) / Collections.min(theirs), byRound(ours, theirs));
  }

  /** The ratio of constant figures. */
  public static RoundRatio exact(double ours, double theirs) {
    return new RoundRatio(ours / theirs, ours / theirs, ours / theirs);
  }

  private static RoundRatio between(double value, List<Double> ratios) {
    List<Double> sorted = ratios.stream().sorted().toList();
    int cut = sorted.size() < FEW ? 0 : sorted.size() / 4;
    double from = sorted.isEmpty() ? value : sorted.get(cut);
    double to = sorted.isEmpty() ? value : sorted.get(sorted.size() - 1 - cut);
    return new RoundRatio(value, Math.min(from, value), Math.max(to, value));
  }

  private static List<Double> byRound(List<Double> ours, List<Double> theirs) {
    return IntStream.range(0, Math.min(ours.size(), theirs.size()))
        .mapToObj(round -> ours.get(round) / theirs.get(round))
        .toList();
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

  /** Returns whether ours is more, by more than the rounds differ, and by more than this spread. */
  public boolean isMore(double spread) {
    return value >= 1 + Math.max(SAME, spread) && from > 1;
  }
}
