package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.CallsInFlight;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterFactory;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.LimiterUnderTest;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RawScript;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectSequence;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.limit.Limit;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * One thing to measure through a client.
 *
 * @param question the question of the case
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
  /** How many subjects a batch has. */
  public static final int BATCH_SIZE = 100;

  public static BenchmarkCase algorithm(
      RedisClientType client,
      PenstockAlgorithm algorithm,
      SubjectWorkload workload,
      int tiers,
      int threads) {
    return new BenchmarkCase(
        BenchmarkQuestion.ALGORITHM, algorithm, client, workload, tiers, threads);
  }

  /** The token bucket of one tier, which represents Penstock beside floors and peers. */
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

  public static BenchmarkCase near(
      RedisClientType client, TripSaving saving, SubjectWorkload workload, int threads) {
    return new BenchmarkCase(BenchmarkQuestion.NEAR, saving, client, workload, 1, threads);
  }

  /**
   * Returns whether the report shows a ratio of this to another, as many threads through one
   * client.
   */
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
      case NEAR ->
          other.workload == workload
              && (other.candidate == TripSaving.ASKED || other.candidate == TripSaving.BUCKET4J);
    };
  }

  private boolean isFloor(FloorCall floor) {
    return question == BenchmarkQuestion.FLOOR && candidate == floor;
  }

  /** Returns whether it is the token bucket of one tier, asked one by one. */
  public boolean isBucket(SubjectWorkload asked) {
    return equals(bucket(client, asked, threads));
  }

  /** Returns whether the token bucket's own script is measured beside it, sent raw and alike. */
  public boolean hasRawScript() {
    return candidate == PenstockAlgorithm.TOKEN_BUCKET
        && (question.atOnce() || isBucket(SubjectWorkload.ALLOWED));
  }

  public int decisions() {
    return question == BenchmarkQuestion.BATCH ? BATCH_SIZE : 1;
  }

  /** Parses the output of {@link #shortName}: the case of a client, with this number of threads. */
  public static BenchmarkCase parse(String name, RedisClientType client, int threads) {
    String[] parts = name.strip().split("/");
    if (parts.length != 4) {
      throw new IllegalArgumentException("a case must be QUESTION/WHAT/WORKLOAD/TIERS: " + name);
    }
    BenchmarkQuestion question = BenchmarkQuestion.of(parts[0]);
    boolean raw = BenchmarkQuestion.isRaw(parts[0]);
    BenchmarkCandidate candidate = (raw ? BenchmarkQuestion.FLOOR : question).candidate(parts[1]);
    SubjectWorkload workload = SubjectWorkload.valueOf(parts[2]);
    int tiers = Integer.parseInt(parts[3]);
    return new BenchmarkCase(question, candidate, client, workload, tiers, threads);
  }

  /** Its name among those of a client and a number of threads, as a benchmark's parameter. */
  public String shortName() {
    String kind = question.name(question.atOnce() && candidate instanceof FloorCall);
    return String.join("/", kind, candidate.name(), workload.name(), Integer.toString(tiers));
  }

  /** Its name among all cases: {@code JEDIS/8/ALGORITHM/TOKEN_BUCKET/ALLOWED/1}. */
  public String name() {
    return client + "/" + threads + "/" + shortName();
  }

  /** Prepares the call for the next subject, or the next {@link #BATCH_SIZE}, of any thread. */
  public Predicate<SubjectSequence> on(ClientSession session, BenchmarkTarget target) {
    if (question == BenchmarkQuestion.BATCH) {
      return batch(session, target);
    }
    if (question == BenchmarkQuestion.ASYNC) {
      return new CallsInFlight(begin(session, target));
    }
    LimiterUnderTest limiter =
        candidate instanceof PenstockAlgorithm algorithm
            ? LimiterFactory.penstock(session.limiters(), algorithm, workload, tiers)
            : candidate.on(session, target, workload);
    if (question != BenchmarkQuestion.FLOOR) {
      LimiterFactory.prepared(limiter, workload);
    }
    return sequence -> limiter.decide(sequence.next());
  }

  private Predicate<SubjectSequence> batch(ClientSession session, BenchmarkTarget target) {
    if (candidate instanceof FloorCall floor) {
      RawScript raw = RawScript.of(floor, session, target, workload);
      return sequence -> raw.sendAll(sequence, BATCH_SIZE);
    }
    RateLimiter limiter = session.limiters().limiter("open", generous());
    return sequence -> {
      String[] subjects = new String[BATCH_SIZE];
      Arrays.setAll(subjects, i -> SubjectWorkload.name(sequence.next()));
      boolean allowed = true;
      for (Outcome outcome : limiter.tryAcquireAll(Arrays.asList(subjects))) {
        allowed &= outcome.decision().allowed();
      }
      return allowed;
    };
  }

  private Limit generous() {
    return ((PenstockAlgorithm) candidate).generous(tiers);
  }

  private IntFunction<CompletionStage<?>> begin(ClientSession session, BenchmarkTarget target) {
    if (candidate instanceof FloorCall floor) {
      return RawScript.of(floor, session, target, workload)::begin;
    }
    AsyncRateLimiter limiter = session.asyncLimiters().asyncLimiter("open", generous());
    return subject -> limiter.tryAcquire(SubjectWorkload.name(subject));
  }
}
