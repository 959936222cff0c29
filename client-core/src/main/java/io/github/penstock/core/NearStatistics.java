package io.github.penstock.core;

/**
 * Gauges and counters for the limiters of one {@code RateLimiters} object: their remembered
 * denials, leases and circuits. For the origin of a single decision, see {@link DecisionSource}.
 *
 * @param rememberedDenials the denials that are currently remembered, at most {@link
 *     RateLimiterOptions#mostDenials()}
 * @param leasedUnits the units charged in advance since the start, excluding those that the
 *     charging calls took themselves. A call whose answer was lost may have charged more
 * @param usedUnits the leased units that were granted
 * @param expiredUnits the leased units that expired unused. Units that are neither used nor expired
 *     are either still held, or have expired and will be counted when the subject takes its next
 *     lease
 * @param openCircuits the number of circuits that are currently open
 */
public record NearStatistics(
    int rememberedDenials, long leasedUnits, long usedUnits, long expiredUnits, int openCircuits) {}
