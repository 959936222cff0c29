package io.github.penstock.simulator.model;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.local.internal.LimitArithmetic;

/**
 * One limit of a script of protocol 1, in longs, for calls that cost at least 1 at times that do
 * not go back. A state is an array of numbers, all 0 for an unused subject. Not safe for use by
 * several threads.
 */
public final class LongModel {
  private static final long PADDING_MS = 60_000;
  private static final long MILLI_US = 1_000;
  private final LimitArithmetic limit;

  /** A limit as {@code core.limit} checked it. */
  public LongModel(Limit limit) {
    this.limit = new LimitArithmetic(limit);
  }

  /** Returns how many numbers a state has. */
  public int numbers() {
    return limit.numbers();
  }

  /**
   * Decides several calls of a cost at once, and charges those that fit to the state.
   *
   * @param cost 1 to 10^12, also of all calls together
   * @param nowUs not earlier than the call before
   */
  public ModelReply call(long cost, long calls, long nowUs, long[] state) {
    long[] six = limit.call(cost, calls, nowUs, state);
    return new ModelReply(six[0], six[1], six[2], six[3], six[4], six[5]);
  }

  /** The time to live that the script gave the state of the last call that was allowed. */
  public long ttlMs() {
    return (limit.unusedInUs() + MILLI_US - 1) / MILLI_US + PADDING_MS;
  }
}
