package io.github.penstock.core.reserve;

import java.util.List;
import java.util.Objects;

/**
 * What {@code reserve} answered. Immutable.
 *
 * @param id the call's
 * @param allowed whether it may go ahead
 * @param enforced whether the limits decided; false if no decision could be made
 * @param repeated whether an earlier call with this id did it
 * @param waitMicros denied: until the same call would be allowed if nobody settled, -1 for never;
 *     allowed: how long it should be delayed
 * @param denying the index of the entry with the longest wait, from 0; -1 if allowed or undecided
 * @param usages what is left, in the order of the entries
 */
public record ReservationAnswer(
    CallId id,
    boolean allowed,
    boolean enforced,
    boolean repeated,
    long waitMicros,
    int denying,
    List<EntryUsage> usages) {
  /**
   * @throws IllegalArgumentException if a number is out of its bounds
   */
  public ReservationAnswer {
    Objects.requireNonNull(id, "id");
    usages = List.copyOf(usages);
    if (waitMicros < (allowed ? 0 : -1) || denying < -1 || denying >= usages.size()) {
      throw new IllegalArgumentException("wait or entry: " + waitMicros + " " + denying);
    }
    if (enforced && allowed != denying < 0) {
      throw new IllegalArgumentException("a denial must have an entry: " + denying);
    }
  }
}
