package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.CallsInFlight;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.TripSaving;
import java.util.List;
import java.util.function.Function;

/** The question of a case. */
public enum BenchmarkQuestion {
  /** What is the minimal cost of a call through a client? */
  FLOOR(FloorCall::valueOf, client -> List.of(FloorCall.values())),
  /** What is the cost of a decision with an algorithm? */
  ALGORITHM(PenstockAlgorithm::valueOf, client -> PenstockAlgorithm.all()),
  /** What is its cost with another limiter on the same client? */
  PEER(LimiterType::valueOf, LimiterType::peers),
  /** What is its cost when a hundred are requested together? */
  BATCH(PenstockAlgorithm::valueOf, client -> PenstockAlgorithm.all()),
  /** How many a second does one thread get that never waits for one? */
  ASYNC(PenstockAlgorithm::valueOf, client -> PenstockAlgorithm.all()),
  /** How many a second are made where most need no trip, and with how many trips? */
  NEAR(TripSaving::valueOf, client -> List.of(TripSaving.values()));

  private static final String RAW = "RAW_";
  private final Function<String, BenchmarkCandidate> candidates;
  private final Function<RedisClientType, List<? extends BenchmarkCandidate>> all;

  BenchmarkQuestion(
      Function<String, BenchmarkCandidate> candidates,
      Function<RedisClientType, List<? extends BenchmarkCandidate>> all) {
    this.candidates = candidates;
    this.all = all;
  }

  /** The question of this name; a floor that is sent alike has {@code RAW_} before it. */
  static BenchmarkQuestion of(String name) {
    return valueOf(isRaw(name) ? name.substring(RAW.length()) : name);
  }

  static boolean isRaw(String name) {
    return name.startsWith(RAW);
  }

  /** The name of it where a floor is sent alike, or not. */
  String name(boolean raw) {
    return raw ? RAW + name() : name();
  }

  /** All candidates for this question through a client. */
  List<? extends BenchmarkCandidate> all(RedisClientType client) {
    return all.apply(client);
  }

  /** The candidates, by the constant's name. */
  BenchmarkCandidate candidate(String name) {
    return candidates.apply(name);
  }

  /** How decisions are asked for where that is not one by one; else empty. */
  public String how() {
    return switch (this) {
      case BATCH -> "batches of " + BenchmarkCase.BATCH_SIZE;
      case ASYNC -> CallsInFlight.MOST + " in flight";
      case FLOOR, ALGORITHM, PEER, NEAR -> "";
    };
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
