package io.github.penstock.benchmarks.result;

import io.github.penstock.benchmarks.plan.BenchmarkCase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a case.
 *
 * @param what the case
 * @param iterations decisions a second of all threads together, in each iteration; figures of the
 *     same client and as many threads were measured interleaved, so those of one round belong
 *     together
 * @param p50Micros microseconds per decision as the caller sees it, the median; 0 where decisions
 *     are only counted
 * @param p99Micros the slowest of a hundred decisions
 * @param p999Micros of a thousand decisions the slowest
 * @param bytesPerCall bytes that the client's process allocated per decision
 * @param tripsPerCall trips to the server per decision, by the server's count of scripts and of the
 *     GETs beside them; -1 if not counted
 * @param problem the reason for a missing figure, otherwise null
 */
public record MeasuredCase(
    BenchmarkCase what,
    List<Double> iterations,
    double p50Micros,
    double p99Micros,
    double p999Micros,
    double bytesPerCall,
    double tripsPerCall,
    @Nullable String problem) {
  public MeasuredCase {
    iterations = List.copyOf(iterations);
  }

  public static MeasuredCase failed(BenchmarkCase what, String problem) {
    return new MeasuredCase(what, List.of(), 0, 0, 0, 0, -1, problem);
  }

  /**
   * Decisions a second of all threads together, the median of the iterations; for blocking threads
   * their number divided by the mean time of a decision. 0 without a figure.
   */
  public double perSecond() {
    return present() ? RoundRatio.median(iterations) : 0;
  }

  public boolean present() {
    return problem == null;
  }
}
