package io.github.penstock.simulator.report;

import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What tells limits of one rate apart: less is better in each.
 *
 * @param canPass the most units of one subject that each tier can let pass in its length, the
 *     shortest first
 * @param denied requests
 * @param hurt subjects that were ever denied
 * @param waitUs how long 99 % of the denied wait at most
 * @param delayUs how long 99 % of the admitted are put off at most, where that is more than a
 *     second
 */
record LimitMerits(List<Long> canPass, long denied, long hurt, long waitUs, long delayUs) {
  private static final long AT_ONCE_US = 1_000_000;
  private static final double ALIKE = 0.1;

  /** The order in which tiers are held against each other, in whichever they were given. */
  static final Comparator<LimitTier> SHORTER =
      Comparator.comparingLong(LimitTier::periodMicros).thenComparing(LimitTier::units);

  static LimitMerits of(LimitResult result) {
    ReplayStats stats = result.stats();
    return new LimitMerits(
        stats.peaks().stream()
            .sorted(Comparator.comparing(PeakUsage::tier, LimitMerits.SHORTER))
            .map(result::atMost)
            .toList(),
        stats.denied(),
        stats.shares().everDenied(),
        stats.longWaitUs(),
        stats.longDelayUs() > AT_ONCE_US ? stats.longDelayUs() : 0);
  }

  /** Whether this is better than the other in anything. */
  boolean isBetterInAny(LimitMerits other) {
    return passesLess(other)
        || isFewer(denied, other.denied)
        || isFewer(hurt, other.hurt)
        || isShorter(waitUs, other.waitUs)
        || isShorter(delayUs, other.delayUs);
  }

  /** Whether this is better in something, and the other in nothing. */
  boolean isBetterThan(LimitMerits other) {
    return isBetterInAny(other) && !other.isBetterInAny(this);
  }

  private boolean passesLess(LimitMerits other) {
    return IntStream.range(0, canPass.size()).anyMatch(i -> canPass.get(i) < other.canPass.get(i));
  }

  /* Two counts of events that are independent of each other differ by chance by their root. */
  private static boolean isFewer(long one, long other) {
    return other - one > 2 * Math.sqrt((double) one + other);
  }

  private static boolean isShorter(long one, long other) {
    return other - one > ALIKE * other;
  }
}
