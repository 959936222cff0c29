package io.github.penstock.core.reserve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The decision about a reservation, in its blocking and its asynchronous form. */
public interface ReservedCall {
  /** A wait that never ends: 200 years. */
  Duration NEVER = Duration.ofDays(2 * 36_525);

  /** The answer of the server. */
  ReservationAnswer answer();

  /** Returns whether the call is allowed. */
  default boolean allowed() {
    return answer().allowed();
  }

  /** Returns whether it is denied. */
  default boolean denied() {
    return !answer().allowed();
  }

  /**
   * Returns whether the limits decided; false if no decision could be made and {@code
   * onUnavailable} or {@code onOverload} decided. If false, this object does not know of any held
   * units.
   */
  default boolean enforced() {
    return answer().enforced();
  }

  /**
   * Returns the time until the same call would be allowed if no reservation were settled meanwhile:
   * exact, zero if it was allowed, {@link #NEVER} if a cost exceeds its limit. {@link
   * #askAgainAfter} is for callers that wait.
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
   * Returns the time that a denied caller should wait before it tries again: {@link #retryAfter},
   * but 50 to 250 ms, at random, while held units may be settled sooner.
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

  /** Returns the delay of an allowed call until its turn in a leaky bucket. */
  default Duration delay() {
    return allowed() ? Duration.of(answer().waitMicros(), ChronoUnit.MICROS) : Duration.ZERO;
  }

  /** The usage of each limit, in the order of the entries. */
  default List<EntryUsage> usages() {
    return answer().usages();
  }
}
