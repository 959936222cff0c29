package io.github.penstock.benchmarks.limiter;

import java.util.EnumMap;
import java.util.Map;

/** A thread's way through the subjects of a workload, endless. Not safe for several threads. */
public final class SubjectSequence {
  private static final int APART = 9_973;
  private static final Map<SubjectWorkload, int[]> DRAWS = new EnumMap<>(SubjectWorkload.class);

  private final int[] draws;
  private int next;

  /** The way of a thread: the same round for all, begun at another place for each. */
  public SubjectSequence(SubjectWorkload workload, int thread) {
    synchronized (DRAWS) {
      draws = DRAWS.computeIfAbsent(workload, all -> all.draws(1));
    }
    next = thread * APART;
  }

  public int next() {
    return draws[next++ & (draws.length - 1)];
  }
}
