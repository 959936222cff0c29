package io.github.penstock.core.reserve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** What both forms of a reservation tell about the decision. */
public interface ReservedCall {
  /** A wait that never ends: 200 years. */
  Duration NEVER = Duration.ofDays(2 * 36_525);

  /** What was answered. */
  ReservationAnswer answer();

  /** Returns whether the call may go ahead. */
  default boolean allowed() {
    return answer().allowed();
  }

  /** Returns whether it may not. */
  default boolean denied() {
    return !answer().allowed();
  }

  /**
   * Returns whether the limits decided; false if no decision could be made and {@code
   * onUnavailable} or {@code onOverload} decided. Then nothing is held as far as this object knows.
   */
  default boolean enforced() {
    return answer().enforced();
  }

  /**
   * Returns how long until the same call would be allowed if nobody settled meanwhile: exact, zero
   * if it was allowed, {@link #NEVER} if a cost exceeds its limit. {@link #askAgainAfter} is for
   * who waits.
   */
  default Duration retryAfter() {
    if (allowed()) {
      return Duration.ZERO;
    }
    return answer().waitMicros() < 0
        ? NEVER
        : Duration.of(answer().waitMicros(), ChronoUnit.MICROS);
  }

  /**
   * Returns how long a denied caller should wait before it asks again: {@link #retryAfter}, but 50
   * to 250 ms, at random, where units are held that a settlement may give back sooner.
   */
  default Duration askAgainAfter() {
    Duration exact = retryAfter();
    int denying = answer().denying();
    if (denying < 0 || exact.equals(NEVER) || answer().usages().get(denying).held() == 0) {
      return exact;
    }
    Duration pace = Duration.ofMillis(ThreadLocalRandom.current().nextLong(50, 251));
    return exact.compareTo(pace) < 0 ? exact : pace;
  }

  /** Returns how long an allowed call should be delayed for its turn in a leaky bucket. */
  default Duration delay() {
    return allowed() ? Duration.of(answer().waitMicros(), ChronoUnit.MICROS) : Duration.ZERO;
  }

  /** What is left of each limit, in the order of the entries. */
  default List<EntryUsage> usages() {
    return answer().usages();
  }
}
