package io.github.penstock.local;

import io.github.penstock.core.limit.Limit;

/**
 * The decisions of one limit about subjects whose states the caller keeps: for programs that play
 * calls of their own times. A state is so many numbers, all 0 for a subject that has used nothing.
 * Not safe for use by several threads.
 */
public final class LimitArithmetic {
  private final TierTerms[] terms;
  private final SubjectUse use;
  private long nowUs;

  /** The decisions of {@code limit}. */
  public LimitArithmetic(Limit limit) {
    terms = TierTerms.of(limit);
    use = new SubjectUse("", limit.kind(), terms);
  }

  /** Returns how many numbers a state has. */
  public int numbers() {
    return terms.length * SubjectTier.NUMBERS;
  }

  /**
   * Answers so many calls of a cost at once, of which as many as fit are charged to the state.
   *
   * @param cost 1 to 10^12, also of all calls together
   * @param atUs microseconds since 1970
   * @return the six integers that the script answers
   */
  public long[] call(long cost, long calls, long atUs, long[] state) {
    nowUs = atUs;
    use.load(state);
    long[] reply = use.call(terms, cost, calls, atUs);
    use.store(state);
    return reply;
  }

  /** Microseconds from the last call that was charged until nothing of its subject is used. */
  public long unusedInUs() {
    return use.unusedUs() - nowUs;
  }
}
