package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.util.Objects;

/**
 * The subject and the cost of one call of a batch. Immutable.
 *
 * @param subject the subject of the call
 * @param cost the number of units, 1 to 10^12
 */
public record SubjectCost(String subject, long cost) {
  /**
   * @throws IllegalArgumentException if the cost is out of bounds
   */
  public SubjectCost {
    Objects.requireNonNull(subject, "subject");
    Decision.check(
        cost >= 1 && cost <= Limit.MAX_UNITS,
        "cost must be from 1 to " + Limit.MAX_UNITS + ": ",
        cost);
  }
}
