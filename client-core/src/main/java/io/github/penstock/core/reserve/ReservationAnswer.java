package io.github.penstock.core.reserve;

import java.util.List;
import java.util.Objects;

/**
 * The answer to a call under several limits. Immutable.
 *
 * @param id the id of the call
 * @param allowed whether the call was allowed
 * @param enforced whether the limits decided; false if no decision could be made
 * @param repeated whether this is the answer to an earlier call with the same id
 * @param waitMicros for a denied call, the time until it would be allowed, provided that no
 *     reservation is settled in the meantime, or -1 for never; for an allowed call, its delay
 * @param denying the index of the entry with the longest wait, from 0; -1 if allowed or undecided
 * @param usages the usage of each limit, in the order of the entries
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
