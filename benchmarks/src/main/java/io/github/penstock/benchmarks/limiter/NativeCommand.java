package io.github.penstock.benchmarks.limiter;

/** A command of the server that limits by itself; it is measured on the server only. */
public enum NativeCommand implements BenchmarkCandidate {
  /** The bounded counter of Redis 8.8 and Valkey 9.2: one window, yes or no. */
  INCREX;

  @Override
  public String title() {
    return name();
  }

  @Override
  public LimiterUnderTest on(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    throw new UnsupportedOperationException(name() + " is measured on the server only");
  }
}
