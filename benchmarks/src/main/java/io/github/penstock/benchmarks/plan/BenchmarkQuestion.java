package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.TripSaving;
import java.util.function.Function;

/** The question of a case. */
public enum BenchmarkQuestion {
  /** What is the least that a call can cost through a client? */
  FLOOR(FloorCall::valueOf),
  /** What does a decision cost with an algorithm? */
  ALGORITHM(PenstockAlgorithm::valueOf),
  /** What does it cost with another limiter on the same client? */
  PEER(LimiterType::valueOf),
  /** What does it cost when a hundred are asked for together? */
  BATCH(PenstockAlgorithm::valueOf),
  /** How many a second does one thread get that never waits for one? */
  ASYNC(PenstockAlgorithm::valueOf),
  /** How many a second are made where most need no trip, and with how many trips? */
  NEAR(TripSaving::valueOf);

  private final Function<String, BenchmarkCandidate> candidates;

  BenchmarkQuestion(Function<String, BenchmarkCandidate> candidates) {
    this.candidates = candidates;
  }

  /** Who it is asked about, by the constant's name. */
  BenchmarkCandidate candidate(String name) {
    return candidates.apply(name);
  }

  /** Returns whether several decisions are asked for before one is answered. */
  public boolean atOnce() {
    return this == BATCH || this == ASYNC;
  }

  /** Returns whether decisions are counted; else the time of each is sampled. */
  public boolean counted() {
    return this == ASYNC || this == NEAR;
  }
}
