package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.jmh.InterleavedCase;
import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.CalleeType;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import java.util.Map;

/**
 * One thing to measure through a client.
 *
 * @param question what it is about
 * @param candidate the algorithm, floor or peer
 * @param client through which client
 * @param workload who asks
 * @param tiers how many tiers the limit has
 * @param threads how many threads ask
 */
public record BenchmarkCase(
    BenchmarkQuestion question,
    BenchmarkCandidate candidate,
    RedisClientType client,
    SubjectWorkload workload,
    int tiers,
    int threads) {

  public static BenchmarkCase algorithm(
      RedisClientType client,
      PenstockAlgorithm algorithm,
      SubjectWorkload workload,
      int tiers,
      int threads) {
    return new BenchmarkCase(
        BenchmarkQuestion.ALGORITHM, algorithm, client, workload, tiers, threads);
  }

  /** The token bucket of one tier, which stands for Penstock beside floors and peers. */
  public static BenchmarkCase bucket(
      RedisClientType client, SubjectWorkload workload, int threads) {
    return algorithm(client, PenstockAlgorithm.TOKEN_BUCKET, workload, 1, threads);
  }

  public static BenchmarkCase floor(RedisClientType client, FloorCall floor, int threads) {
    SubjectWorkload workload =
        floor == FloorCall.SAME_COMMANDS_MIXED ? SubjectWorkload.MIXED : SubjectWorkload.ALLOWED;
    return new BenchmarkCase(BenchmarkQuestion.FLOOR, floor, client, workload, 1, threads);
  }

  public static BenchmarkCase peer(
      RedisClientType client, LimiterType peer, SubjectWorkload workload, int threads) {
    return new BenchmarkCase(BenchmarkQuestion.PEER, peer, client, workload, 1, threads);
  }

  public static BenchmarkCase batch(
      RedisClientType client, BenchmarkCandidate candidate, int threads) {
    return new BenchmarkCase(
        BenchmarkQuestion.BATCH, candidate, client, SubjectWorkload.ALLOWED, 1, threads);
  }

  public static BenchmarkCase async(RedisClientType client, BenchmarkCandidate candidate) {
    return new BenchmarkCase(
        BenchmarkQuestion.ASYNC, candidate, client, SubjectWorkload.ALLOWED, 1, 1);
  }

  /** The parameters in JMH of the benchmark that answers the question alone. */
  public Map<String, String> parameters() {
    return switch (question) {
      case FLOOR ->
          Map.of("client", client.name(), "floor", candidate.name(), "workload", workload.name());
      case PEER ->
          Map.of(
              "client", client.name(), "contender", candidate.name(), "workload", workload.name());
      case ALGORITHM ->
          Map.of(
              "client", client.name(),
              "algorithm", candidate.name(),
              "workload", workload.name(),
              "tiers", Integer.toString(tiers));
      case BATCH, ASYNC ->
          Map.of(
              "client", client.name(),
              "algorithm", algorithm().name(),
              "callee", CalleeType.of(candidate).name());
    };
  }

  /** The algorithm that a batch or a call in flight is about: a floor is the token bucket's. */
  public PenstockAlgorithm algorithm() {
    return candidate instanceof PenstockAlgorithm algorithm
        ? algorithm
        : PenstockAlgorithm.TOKEN_BUCKET;
  }

  /** Whether the report shows a ratio of this to another, as many threads through one client. */
  public boolean needs(BenchmarkCase other) {
    if (client != other.client || threads != other.threads) {
      return false;
    }
    boolean raw = other.question == question && other.candidate instanceof FloorCall;
    return switch (question) {
      case FLOOR -> other.isFloor(FloorCall.PING) || other.isFloor(FloorCall.EMPTY_SCRIPT);
      case ALGORITHM ->
          other.question == BenchmarkQuestion.FLOOR
              && (other.workload == workload || other.workload == SubjectWorkload.ALLOWED);
      case PEER -> other.isFloor(FloorCall.EMPTY_SCRIPT) || other.isBucket(workload);
      case BATCH -> raw || other.isBucket(SubjectWorkload.ALLOWED);
      case ASYNC -> raw;
    };
  }

  private boolean isFloor(FloorCall floor) {
    return question == BenchmarkQuestion.FLOOR && candidate == floor;
  }

  /** Whether it is the token bucket of one tier, asked one by one. */
  public boolean isBucket(SubjectWorkload asked) {
    return equals(bucket(client, asked, threads));
  }

  /** How many decisions a call makes. */
  public int decisions() {
    return question == BenchmarkQuestion.BATCH ? InterleavedCase.BATCH_SIZE : 1;
  }

  /** Its turn among the others of its client; calls in flight have another way to take turns. */
  public InterleavedCase turn() {
    return switch (question) {
      case FLOOR -> turn(InterleavedCase.Kind.FLOOR);
      case PEER -> turn(InterleavedCase.Kind.PEER);
      case BATCH -> InterleavedCase.batch(candidate);
      case ALGORITHM, ASYNC -> turn(InterleavedCase.Kind.ALGORITHM);
    };
  }

  private InterleavedCase turn(InterleavedCase.Kind kind) {
    return new InterleavedCase(kind, candidate.name(), workload, tiers);
  }
}
