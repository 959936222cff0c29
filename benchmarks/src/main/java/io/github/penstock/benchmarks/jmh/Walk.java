package io.github.penstock.benchmarks.jmh;

/** A thread's way through the subjects of a workload, endless. Not safe for several threads. */
public final class Walk {
  private final int[] draws;
  private int next;

  /** The way of a thread, different for each seed. */
  public Walk(Workload workload, long seed) {
    draws = workload.draws(seed);
  }

  /** The next subject. */
  public int next() {
    return draws[next++ & (draws.length - 1)];
  }
}
