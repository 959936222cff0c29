package io.github.penstock.benchmarks.result;

import java.util.List;

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
}
