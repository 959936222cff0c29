package io.github.penstock.benchmarks.limiter;

/** A limiter as the benchmarks call it. Safe for use by several threads. */
@FunctionalInterface
public interface LimiterUnderTest {
  /** Asks for one unit for a subject; true if it may go ahead. */
  boolean decide(int subject);
}
