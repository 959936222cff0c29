package io.github.penstock.core;

/**
 * Gauges and counters for the limiters of one {@code RateLimiters} object: their remembered
 * denials, leases and circuits. For the origin of a single decision, see {@link DecisionSource}.
 *
 * @param rememberedDenials the denials that are currently remembered, at most {@link
 *     RateLimiterOptions#mostDenials()}
 * @param leasedUnits the units charged in advance since the start, excluding the costs of the calls
 *     that took the leases. If an answer was lost, more units may have been charged
 * @param usedUnits the leased units that calls have used
 * @param expiredUnits the leased units that expired unused. Units that are counted neither here nor
 *     as used are still held, or have expired and will be counted when the subject takes its next
 *     lease
 * @param openCircuits the number of circuits that are currently open
 */
public record NearStatistics(
    int rememberedDenials, long leasedUnits, long usedUnits, long expiredUnits, int openCircuits) {}
