package io.github.penstock.benchmarks.result;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The cost of an allowed call on a port that answers at once: our own share.
 *
 * @param subjects how many subjects take turns; as many others were denied before
 * @param remembering whether denials are remembered
 * @param turns nanoseconds of a call, of each turn; those of one round belong together
 * @param bytesPerCall bytes that a call allocates
 */
public record NearCost(int subjects, boolean remembering, List<Double> turns, double bytesPerCall) {
  public NearCost {
    turns = List.copyOf(turns);
  }

  /** Nanoseconds of a call, the median of the turns. */
  public double nanos() {
    return RoundRatio.median(turns);
  }

  /** The same calls where each asks; empty if this is about such calls, or if there are none. */
  public Optional<NearCost> asking(List<NearCost> all) {
    return all.stream()
        .filter(each -> remembering && !each.remembering && each.subjects == subjects)
        .findFirst();
  }

  /** Nanoseconds that a call takes more than in another, the median of the rounds. */
  public double nanosBeyond(NearCost other) {
    return RoundRatio.median(
        IntStream.range(0, Math.min(turns.size(), other.turns.size()))
            .mapToObj(round -> turns.get(round) - other.turns.get(round))
            .toList());
  }
}
