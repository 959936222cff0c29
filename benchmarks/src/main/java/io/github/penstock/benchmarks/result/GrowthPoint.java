package io.github.penstock.benchmarks.result;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;

/**
 * How the cost of a decision grows with something.
 *
 * @param with the size that grows
 * @param what the algorithm or floor
 * @param size how many keys or masters
 * @param micros microseconds that the server counts for a call
 * @param perSecond decisions a second with 8 threads, 0 where that is not measured
 */
public record GrowthPoint(
    Axis with, BenchmarkCandidate what, int size, double micros, double perSecond) {

  public enum Axis {
    KEYS,
    MASTERS
  }
}
