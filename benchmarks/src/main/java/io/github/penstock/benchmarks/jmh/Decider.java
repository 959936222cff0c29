package io.github.penstock.benchmarks.jmh;

/** What every limiter looks like to the benchmarks. Safe for use by several threads. */
@FunctionalInterface
public interface Decider {
  /** Asks for one unit for a subject; true if it may go ahead. */
  boolean decide(int subject);
}
