package io.github.penstock.core;

/**
 * Gauges and counters for the limiters of one {@code RateLimiters} object: their remembered
 * denials, leases and circuits. {@link DecisionSource} gives the origin of a single decision.
 *
 * @param rememberedDenials denials that are remembered now, at most {@link
 *     RateLimiterOptions#mostDenials()}
 * @param leasedUnits units that were charged in advance since the start, excluding those that the
 *     charging calls took themselves. A call whose answer was lost may have charged more
 * @param usedUnits leased units that were granted
 * @param expiredUnits leased units that expired unused. Units that are neither used nor expired are
 *     held, or have expired and will be counted here when the subject takes its next lease
 * @param openCircuits unresponsive nodes for which calls are now decided at once
 */
public record NearStatistics(
    int rememberedDenials, long leasedUnits, long usedUnits, long expiredUnits, int openCircuits) {}
