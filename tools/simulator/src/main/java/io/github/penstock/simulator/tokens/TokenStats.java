package io.github.penstock.simulator.tokens;

import io.github.penstock.simulator.stats.WaitHistogram;

/**
 * The result of a limit for calls that were charged in one way.
 *
 * @param asked calls
 * @param denied calls
 * @param never those of them that can never be allowed, as they cost more than the limit holds
 * @param unitsAsked the total use of all calls
 * @param unitsUsed the use of the allowed calls
 * @param most units that one subject used in any span as long as the limit's period
 * @param usedOfBusiest units that the subject that asked for most used while calls began
 * @param offeredToBusiest the units that the limit gains in that time
 * @param waits the waits of denied calls
 */
public record TokenStats(
    long asked,
    long denied,
    long never,
    long unitsAsked,
    long unitsUsed,
    long most,
    long usedOfBusiest,
    double offeredToBusiest,
    WaitHistogram waits) {

  /** The part of the limit that was used, in percent. */
  public double percentUsed() {
    return 100 * usedOfBusiest / offeredToBusiest;
  }

  /** The part of the calls that was denied, in percent. */
  public double percentDenied() {
    return asked == 0 ? 0 : 100.0 * denied / asked;
  }
}
