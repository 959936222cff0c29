package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterFactory;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.LimiterUnderTest;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RawScript;
import io.github.penstock.benchmarks.limiter.SubjectSequence;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import java.util.Arrays;

/**
 * One of those that take turns in {@link InterleavedBenchmark}.
 *
 * @param kind what it is
 * @param name of the {@link FloorCall}, {@link PenstockAlgorithm} or {@link LimiterType}
 * @param workload who asks
 * @param tiers how many tiers the limit has, 1 where that has no meaning
 */
public record InterleavedCase(Kind kind, String name, SubjectWorkload workload, int tiers) {
  /** How many subjects a batch has. */
  public static final int BATCH_SIZE = 100;

  private static final String SEPARATOR = "/";

  /** The kinds of cases. */
  public enum Kind {
    FLOOR,
    ALGORITHM,
    PEER,
    /** An algorithm, asked for {@link #BATCH_SIZE} subjects together. */
    BATCH,
    /** A {@link FloorCall}'s script, sent raw for as many together. */
    RAW_BATCH
  }

  /** Makes a call for the next subject, or the next hundred. Safe for use by several threads. */
  @FunctionalInterface
  interface Call {
    boolean make(SubjectSequence sequence);
  }

  /** A batch, of a limiter or raw. */
  public static InterleavedCase batch(BenchmarkCandidate candidate) {
    Kind kind = candidate instanceof FloorCall ? Kind.RAW_BATCH : Kind.BATCH;
    return new InterleavedCase(kind, candidate.name(), SubjectWorkload.ALLOWED, 1);
  }

  /** Reads what {@link #toString} wrote. */
  public static InterleavedCase parse(String text) {
    String[] parts = text.strip().split(SEPARATOR);
    if (parts.length != 4) {
      throw new IllegalArgumentException("a turn must be kind/name/workload/tiers: " + text);
    }
    return new InterleavedCase(
        Kind.valueOf(parts[0]),
        parts[1],
        SubjectWorkload.valueOf(parts[2]),
        Integer.parseInt(parts[3]));
  }

  /** Prepares what is called. */
  Call on(ClientSession session, BenchmarkTarget target) {
    return switch (kind) {
      case FLOOR -> single(FloorCall.valueOf(name).on(session, target, workload));
      case ALGORITHM ->
          prepared(
              LimiterFactory.penstock(
                  session.limiters(), PenstockAlgorithm.valueOf(name), workload, tiers));
      case PEER -> prepared(LimiterType.valueOf(name).on(session, target, workload));
      case BATCH -> batch(session);
      case RAW_BATCH -> {
        RawScript raw = RawScript.of(FloorCall.valueOf(name), session, target, workload);
        yield sequence -> {
          raw.sendAll(sequence, BATCH_SIZE);
          return true;
        };
      }
    };
  }

  @Override
  public String toString() {
    return String.join(SEPARATOR, kind.name(), name, workload.name(), Integer.toString(tiers));
  }

  private Call prepared(LimiterUnderTest limiter) {
    return single(LimiterFactory.prepared(limiter, workload));
  }

  private static Call single(LimiterUnderTest limiter) {
    return sequence -> limiter.decide(sequence.next());
  }

  private Call batch(ClientSession session) {
    PenstockAlgorithm algorithm = PenstockAlgorithm.valueOf(name);
    RateLimiter limiter = session.limiters().limiter("open", algorithm.generous(tiers));
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
}
