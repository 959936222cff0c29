package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.jmh.AlgorithmsBenchmark;
import io.github.penstock.benchmarks.jmh.AsyncBenchmark;
import io.github.penstock.benchmarks.jmh.BatchBenchmark;
import io.github.penstock.benchmarks.jmh.FloorsBenchmark;
import io.github.penstock.benchmarks.jmh.PeersBenchmark;

/** The question of a case, and the benchmark that answers it alone. */
public enum BenchmarkQuestion {
  FLOOR(FloorsBenchmark.class),
  ALGORITHM(AlgorithmsBenchmark.class),
  PEER(PeersBenchmark.class),
  BATCH(BatchBenchmark.class),
  ASYNC(AsyncBenchmark.class);

  private final Class<?> benchmark;

  BenchmarkQuestion(Class<?> benchmark) {
    this.benchmark = benchmark;
  }

  /** Whether several decisions are asked for before one is answered. */
  public boolean atOnce() {
    return this == BATCH || this == ASYNC;
  }

  /** The name of the benchmark's class. */
  public String benchmark() {
    return benchmark.getName();
  }
}
