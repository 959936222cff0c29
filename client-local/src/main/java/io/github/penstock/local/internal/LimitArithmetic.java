package io.github.penstock.local.internal;

import io.github.penstock.core.limit.Limit;

/**
 * The decisions of one limit about subjects whose states the caller stores: for programs that
 * replay calls at given times. A state is an array of numbers, all 0 for an unused subject. Not
 * safe for use by several threads.
 */
public final class LimitArithmetic {
  private static final long PADDING_MS = 60_000;
  private static final long MILLI_US = 1_000;
  private final TierTerms[] terms;
  private final SubjectUse use;
  private long nowUs;

  /** The decisions of {@code limit}. */
  public LimitArithmetic(Limit limit) {
    terms = TierTerms.of(limit);
    use = new SubjectUse("", limit.kind(), terms);
  }

  /** Returns the length of a state. */
  public int numbers() {
    return terms.length * SubjectTier.NUMBERS;
  }

  /**
   * Decides several calls of a cost at once, and charges those that fit to the state.
   *
   * @param cost 1 to 10^12, also of all calls together
   * @param atUs microseconds since 1970
   * @return the six integers of the script's reply
   */
  public long[] call(long cost, long calls, long atUs, long[] state) {
    nowUs = atUs;
    use.load(state);
    long[] reply = use.call(terms, cost, calls, atUs);
    use.store(state);
    return reply;
  }

  /** The time to live that the script gives the state of the last call that was charged. */
  public long ttlMs() {
    return (use.unusedUs() - nowUs + MILLI_US - 1) / MILLI_US + PADDING_MS;
  }
}
