package io.github.penstock.benchmarks.jmh;

/** Who is called, where a benchmark has its floor as a parameter. */
public enum Callee {
  /** A limiter. */
  PENSTOCK,
  /** {@link Floor#SAME_COMMANDS}, raw. */
  SAME_COMMANDS,
  /** The one and the other by turns, an iteration each, the limiter first. */
  BY_TURNS
}
