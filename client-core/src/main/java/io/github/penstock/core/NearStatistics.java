package io.github.penstock.core;

/**
 * Gauges and counters of one object's limiters: what they know and hold without asking; see {@link
 * DecisionSource} for what each call was told.
 *
 * @param rememberedDenials denials that are remembered now, at most {@link
 *     RateLimiterOptions#mostDenials()}
 * @param leasedUnits units that were charged ahead since the start: beyond what the calls that
 *     charged them took themselves. A call whose answer was lost may have charged more
 * @param usedUnits those of them that were handed out
 * @param expiredUnits those of them that nobody took in time. What is neither used nor expired is
 *     held; or is too old and counted here when the subject's next lease takes its place
 * @param pausedNodes nodes for which calls are decided at once now, because they do not answer
 */
public record NearStatistics(
    int rememberedDenials, long leasedUnits, long usedUnits, long expiredUnits, int pausedNodes) {}
