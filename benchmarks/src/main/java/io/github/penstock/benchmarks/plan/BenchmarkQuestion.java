package io.github.penstock.benchmarks.plan;

/** The question of a case, and the benchmark that answers it alone. */
public enum BenchmarkQuestion {
  FLOOR("FloorsBenchmark"),
  ALGORITHM("AlgorithmsBenchmark"),
  PEER("PeersBenchmark"),
  BATCH("BatchBenchmark"),
  ASYNC("AsyncBenchmark"),
  NEAR("NearBenchmark");

  private final String benchmark;

  BenchmarkQuestion(String benchmark) {
    this.benchmark = benchmark;
  }

  /** Returns whether several decisions are asked for before one is answered. */
  public boolean atOnce() {
    return this == BATCH || this == ASYNC;
  }

  /** Returns whether decisions are counted; else the time of each is sampled. */
  public boolean counted() {
    return this == ASYNC || this == NEAR;
  }

  /** The simple name of the benchmark's class. */
  public String benchmark() {
    return benchmark;
  }
}
