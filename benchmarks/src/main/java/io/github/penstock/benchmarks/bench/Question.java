package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.AlgorithmsBenchmark;
import io.github.penstock.benchmarks.jmh.AsyncBenchmark;
import io.github.penstock.benchmarks.jmh.BatchBenchmark;
import io.github.penstock.benchmarks.jmh.FloorsBenchmark;
import io.github.penstock.benchmarks.jmh.PeersBenchmark;

/** What a case is about, and the benchmark that answers it alone. */
enum Question {
  FLOOR(FloorsBenchmark.class),
  ALGORITHM(AlgorithmsBenchmark.class),
  PEER(PeersBenchmark.class),
  BATCH(BatchBenchmark.class),
  ASYNC(AsyncBenchmark.class);

  private final Class<?> benchmark;

  Question(Class<?> benchmark) {
    this.benchmark = benchmark;
  }

  /** Whether several decisions are asked for before one is answered. */
  boolean atOnce() {
    return this == BATCH || this == ASYNC;
  }

  /** The name of the benchmark's class. */
  String benchmark() {
    return benchmark.getName();
  }
}
