package io.github.penstock.benchmarks.limiter;

/** A limiter or a floor that can be measured, told from others by identity. */
public sealed interface BenchmarkCandidate
    permits FloorCall, PenstockAlgorithm, LimiterType, TripSaving {
  /** The constant's name, as JMH's parameters have it. */
  String name();

  String title();

  /** Returns whether it sends GETs separately, in addition to scripts that make one each. */
  default boolean sendsGets() {
    return false;
  }

  /** Makes it on a client, for a workload's subjects. */
  LimiterUnderTest on(ClientSession session, BenchmarkTarget target, SubjectWorkload workload);
}
