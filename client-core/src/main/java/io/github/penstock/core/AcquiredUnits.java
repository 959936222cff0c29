package io.github.penstock.core;

/**
 * The number of units granted out of those requested, and the decision about them.
 *
 * <p>With {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))} and 3 tokens left, {@code
 * tryAcquireUpTo("user:42", 500)} returns 3 units and an allowed decision with 0 remaining. A
 * second call at the same instant returns 0 units and a denial with a retry after 100 ms.
 * Immutable.
 *
 * @param units the units taken, from 0 to the number requested
 * @param decision if any units were taken, the allowed decision about the last one, but with the
 *     {@link Decision#delay() delay} of the first one; otherwise the denial of a single unit
 */
public record AcquiredUnits(long units, Decision decision) {
  /**
   * @throws IllegalArgumentException if the units are negative or inconsistent with the decision
   */
  public AcquiredUnits {
    Decision.check(units >= 0, "units must not be negative: ", units);
    Decision.check(
        units > 0 == decision.allowed(),
        "units must be above 0 if the decision allows, and 0 if it denies: ",
        units);
  }
}
