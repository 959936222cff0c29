package io.github.penstock.simulator.model;

import io.github.penstock.core.limit.Limit;

/**
 * One limit of a script of protocol 1, in longs, for calls that cost at least 1 at times that do
 * not go back. A state is so many numbers, all 0 for a subject that has not asked. Not safe for use
 * by several threads.
 */
public final class LongModel {
  private static final long PADDING_MS = 60_000;
  private static final long MILLI_US = 1_000;
  private final LongTier[] tiers;
  private long resetUs;

  /** A limit as {@code core.limit} checked it. */
  public LongModel(Limit limit) {
    tiers =
        limit.tiers().stream()
            .map(tier -> LongTier.of(limit.kind(), tier))
            .toArray(LongTier[]::new);
  }

  /** Returns how many numbers a state has. */
  public int numbers() {
    return tiers.length * LongTier.NUMBERS;
  }

  /**
   * Answers so many calls of a cost at once, of which as many as fit are charged to the state.
   *
   * @param cost 1 to 10^12, also of all calls together
   * @param nowUs not earlier than the call before
   */
  public ModelReply call(long cost, long calls, long nowUs, long[] state) {
    for (int i = 0; i < tiers.length; i++) {
      tiers[i].read(state, i * LongTier.NUMBERS, nowUs);
    }
    long fitting = fitting(cost, calls);
    return fitting == 0 ? denied(cost) : allowed(fitting, cost, state);
  }

  /** The time to live that the script gave the state of the last call that was allowed. */
  public long ttlMs() {
    return (resetUs + MILLI_US - 1) / MILLI_US + PADDING_MS;
  }

  private ModelReply allowed(long fitting, long cost, long[] state) {
    long backlogUs = 0;
    int deciding = 0;
    resetUs = 0;
    for (int i = 0; i < tiers.length; i++) {
      backlogUs = Math.max(backlogUs, tiers[i].backlogUs());
      tiers[i].charge(fitting * cost);
      tiers[i].write(state, i * LongTier.NUMBERS);
      resetUs = Math.max(resetUs, tiers[i].resetUs());
      deciding = tiers[i].remaining() < tiers[deciding].remaining() ? i : deciding;
    }
    return reply(fitting, deciding, backlogUs);
  }

  private ModelReply denied(long cost) {
    int deciding = 0;
    long longestUs = -1;
    for (int i = 0; i < tiers.length; i++) {
      long waitUs = tiers[i].fitsInUs(cost);
      if (waitUs > longestUs) {
        longestUs = waitUs;
        deciding = i;
      }
    }
    return reply(0, deciding, longestUs == Long.MAX_VALUE ? -1 : longestUs);
  }

  private ModelReply reply(long allowed, int deciding, long waitUs) {
    LongTier tier = tiers[deciding];
    return new ModelReply(
        allowed, tier.limit(), tier.remaining(), waitUs, tier.resetUs(), deciding + 1L);
  }

  /* As many calls as fit into every tier, by halves. */
  private long fitting(long cost, long calls) {
    long fits = 0;
    long tooMany = calls + 1;
    while (tooMany - fits > 1) {
      long tried = calls == 1 ? 1 : fits + (tooMany - fits) / 2;
      if (fits(tried * cost)) {
        fits = tried;
      } else {
        tooMany = tried;
      }
    }
    return fits;
  }

  private boolean fits(long units) {
    for (LongTier tier : tiers) {
      if (tier.fitsInUs(units) != 0) {
        return false;
      }
    }
    return true;
  }
}
