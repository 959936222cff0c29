package io.github.penstock.benchmarks.result;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The cost of an allowed call on a port that answers at once: our own share.
 *
 * @param subjects how many subjects are asked for, one after the other; as many others were denied
 *     before
 * @param remembering whether denials are remembered
 * @param iterations nanoseconds of a call, in each iteration; those of one round belong together
 * @param bytesPerCall bytes that a call allocates
 */
public record NearCost(
    int subjects, boolean remembering, List<Double> iterations, double bytesPerCall) {
  public NearCost {
    iterations = List.copyOf(iterations);
  }

  /** Nanoseconds of a call, the median of the iterations. */
  public double nanos() {
    return RoundRatio.median(iterations);
  }

  /**
   * The same calls without remembering; empty if this is about such calls, or if there are none.
   */
  public Optional<NearCost> asking(List<NearCost> all) {
    return all.stream()
        .filter(each -> remembering && !each.remembering && each.subjects == subjects)
        .findFirst();
  }

  /** Nanoseconds that a call takes more than in another, the median of the rounds. */
  public double nanosBeyond(NearCost other) {
    return RoundRatio.median(
        IntStream.range(0, Math.min(iterations.size(), other.iterations.size()))
            .mapToObj(round -> iterations.get(round) - other.iterations.get(round))
            .toList());
  }
}
