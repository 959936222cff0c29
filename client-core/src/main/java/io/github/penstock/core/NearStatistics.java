package io.github.penstock.core;

/**
 * Gauges and counters for the limiters of one {@code RateLimiters} object: what they remember and
 * hold. {@link DecisionSource} says how a single call was decided.
 *
 * @param rememberedDenials denials that are remembered now, at most {@link
 *     RateLimiterOptions#mostDenials()}
 * @param leasedUnits units that were charged ahead since the start: beyond what the calls that
 *     charged them took themselves. A call whose answer was lost may have charged more
 * @param usedUnits those of them that were handed out
 * @param expiredUnits those of them that were not handed out in time. Units that are neither used
 *     nor expired are held, or are too old and will be counted here when the subject takes its next
 *     lease
 * @param openCircuits nodes for which calls are decided at once now, because they do not answer
 */
public record NearStatistics(
    int rememberedDenials, long leasedUnits, long usedUnits, long expiredUnits, int openCircuits) {}
