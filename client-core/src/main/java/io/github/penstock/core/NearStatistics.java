package io.github.penstock.core;

/**
 * Gauges and counters of one {@code RateLimiters} object. They cover its remembered denials,
 * leases, circuit breakers and shared trips. For the origin of a single decision, see {@link
 * DecisionSource}.
 *
 * @param rememberedDenials the number of denials that are currently remembered, at most {@link
 *     RateLimiterOptions#mostDenials()}
 * @param leasedUnits the number of units charged in advance since the start. The costs of the calls
 *     that took the leases are not included. If an answer was lost, the server may have charged
 *     more units
 * @param usedUnits the number of leased units that calls have used
 * @param expiredUnits the number of leased units that expired unused. Units that are counted
 *     neither here nor as used are still held, or they have expired and are counted when the
 *     subject takes its next lease
 * @param openCircuits the number of circuit breakers that are currently open
 * @param sharedCalls the number of calls that were sent together with others of their subject since
 *     the start; other calls were sent alone
 * @param sharedTrips the number of trips in which they were sent
 */
public record NearStatistics(
    int rememberedDenials,
    long leasedUnits,
    long usedUnits,
    long expiredUnits,
    int openCircuits,
    long sharedCalls,
    long sharedTrips) {

  /** Returns the average number of calls in a shared trip; 0 if there was no such trip. */
  public double callsPerTrip() {
    return sharedTrips == 0 ? 0 : (double) sharedCalls / sharedTrips;
  }
}
