package io.github.penstock.core.reserve;

import java.util.List;
import java.util.Objects;

/**
 * The answer to a call under several limits. Immutable.
 *
 * @param id the id of the call
 * @param allowed whether the call was allowed
 * @param enforced whether the limits were enforced; false if no decision could be made
 * @param repeated whether this is the answer to an earlier call with the same id
 * @param waitMicros the wait in microseconds. For an allowed call, this is its delay. For a denied
 *     call, this is the time after which it is allowed if no reservation is settled in the
 *     meantime, or -1 if it can never be allowed
 * @param denying the index, from 0, of the entry with the longest wait; -1 if the call was allowed
 *     or is undecided
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
   * @throws IllegalArgumentException if a number is out of bounds
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
