package io.github.penstock.benchmarks.bench;

/**
 * How the cost of a decision grows with something.
 *
 * @param with what: {@link #KEYS} or {@link #MASTERS}
 * @param what the script's or floor's name for people
 * @param size how many keys or masters
 * @param micros microseconds that the server counts for a call
 * @param perSecond decisions a second with 8 threads, 0 where that is not measured
 */
record GrowthPoint(String with, String what, int size, double micros, double perSecond) {
  static final String KEYS = "keys";
  static final String MASTERS = "masters";

  /** The same with figures. */
  GrowthPoint with(double newMicros, double newPerSecond) {
    return new GrowthPoint(with, what, size, newMicros, newPerSecond);
  }
}
