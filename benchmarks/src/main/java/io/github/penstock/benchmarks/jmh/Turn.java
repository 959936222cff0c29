package io.github.penstock.benchmarks.jmh;

import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import java.util.Arrays;

/**
 * One of those that take turns in {@link TurnsBenchmark}.
 *
 * @param kind what it is
 * @param name of the {@link Floor}, {@link Algorithm} or {@link Contender}
 * @param workload who asks
 * @param tiers how many tiers the limit has, 1 where that has no meaning
 */
public record Turn(Kind kind, String name, Workload workload, int tiers) {
  /** How many subjects a batch has. */
  public static final int BATCH_SIZE = 100;

  private static final String SEPARATOR = "/";

  /** What takes a turn. */
  public enum Kind {
    FLOOR,
    ALGORITHM,
    PEER,
    /** An algorithm, asked for {@link #BATCH_SIZE} subjects together. */
    BATCH,
    /** A {@link Floor}'s script, sent raw for as many together. */
    RAW_BATCH;

    /** How many decisions a call makes. */
    public int decisions() {
      return this == BATCH || this == RAW_BATCH ? BATCH_SIZE : 1;
    }
  }

  /** Makes a call for the next subject, or the next hundred. Safe for use by several threads. */
  @FunctionalInterface
  interface Call {
    boolean make(Walk walk);
  }

  /** A batch, of a limiter or raw. */
  public static Turn batch(Callee callee, Algorithm algorithm) {
    return callee
        .floor()
        .map(floor -> new Turn(Kind.RAW_BATCH, floor.name(), Workload.ALLOWED, 1))
        .orElseGet(() -> new Turn(Kind.BATCH, algorithm.name(), Workload.ALLOWED, 1));
  }

  /** Reads what {@link #toString} wrote. */
  public static Turn parse(String text) {
    String[] parts = text.strip().split(SEPARATOR);
    if (parts.length != 4) {
      throw new IllegalArgumentException("a turn must be kind/name/workload/tiers: " + text);
    }
    return new Turn(
        Kind.valueOf(parts[0]), parts[1], Workload.valueOf(parts[2]), Integer.parseInt(parts[3]));
  }

  /** Prepares what is called. */
  Call on(Session session, Target target) {
    return switch (kind) {
      case FLOOR -> single(Floor.valueOf(name).on(session, target, workload));
      case ALGORITHM ->
          prepared(Deciders.penstock(session.limiters(), Algorithm.valueOf(name), workload, tiers));
      case PEER -> prepared(Contender.valueOf(name).on(session, target, workload));
      case BATCH -> batch(session);
      case RAW_BATCH -> {
        RawScript raw = new RawScript(Floor.valueOf(name), session, target, workload);
        yield walk -> {
          raw.sendAll(walk, BATCH_SIZE);
          return true;
        };
      }
    };
  }

  @Override
  public String toString() {
    return String.join(SEPARATOR, kind.name(), name, workload.name(), Integer.toString(tiers));
  }

  private Call prepared(Decider decider) {
    return single(Deciders.prepared(decider, workload));
  }

  private static Call single(Decider decider) {
    return walk -> decider.decide(walk.next());
  }

  private Call batch(Session session) {
    Algorithm algorithm = Algorithm.valueOf(name);
    RateLimiter limiter = session.limiters().limiter("open", algorithm.generous(tiers));
    return walk -> {
      String[] subjects = new String[BATCH_SIZE];
      Arrays.setAll(subjects, i -> Subjects.name(walk.next()));
      boolean allowed = true;
      for (Outcome outcome : limiter.tryAcquireAll(Arrays.asList(subjects))) {
        allowed &= outcome.decision().allowed();
      }
      return allowed;
    };
  }
}
