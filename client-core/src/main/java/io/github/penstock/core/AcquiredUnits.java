package io.github.penstock.core;

/**
 * The number of units that a call took, and the decision about the call.
 *
 * <p>With {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))} and 3 tokens left, {@code
 * tryAcquireUpTo("user:42", 500)} returns 3 units and an allowed decision with 0 units remaining. A
 * second call at the same instant returns 0 units and a denial. The call can be retried after 100
 * ms. Immutable.
 *
 * @param units the number of units taken, from 0 to the number requested
 * @param decision the decision that allowed the last unit, but with the {@link Decision#delay()
 *     delay} of the first unit. If no units were taken, the decision that denied a single unit
 */
public record AcquiredUnits(long units, Decision decision) {
  /**
   * @throws IllegalArgumentException if {@code units} is negative or inconsistent with the decision
   */
  public AcquiredUnits {
    Decision.check(units >= 0, "units must not be negative: ", units);
    Decision.check(
        units > 0 == decision.allowed(),
        "units must be above 0 if the decision allows, and 0 if it denies: ",
        units);
  }
}
