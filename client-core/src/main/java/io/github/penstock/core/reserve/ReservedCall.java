package io.github.penstock.core.reserve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The decision about a call that reserves units; blocking and asynchronous reservations extend this
 * class.
 */
public interface ReservedCall {
  /** A wait that never ends: 200 years. */
  Duration NEVER = Duration.ofDays(2 * 36_525);

  /** Returns the server's answer. */
  ReservationAnswer answer();

  /** Returns whether the call was allowed. */
  default boolean allowed() {
    return answer().allowed();
  }

  /** Returns whether the call was denied. */
  default boolean denied() {
    return !answer().allowed();
  }

  /**
   * Returns whether the limits decided; false if {@code onUnavailable} or {@code onOverload}
   * decided. If false, it is unknown which units are held.
   */
  default boolean enforced() {
    return answer().enforced();
  }

  /**
   * Returns the exact time until the call would be allowed, provided that no reservation is settled
   * in the meantime: zero if it was allowed, {@link #NEVER} if a cost exceeds its limit. To wait
   * and retry, use {@link #askAgainAfter}.
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
   * Returns the time to wait before retrying a denied call: {@link #retryAfter}, or a random 50 to
   * 250 ms if that is shorter and held units may be settled sooner.
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

  /**
   * Returns how long an allowed call must wait for its turn in a leaky bucket's queue before it
   * proceeds.
   */
  default Duration delay() {
    return allowed() ? Duration.of(answer().waitMicros(), ChronoUnit.MICROS) : Duration.ZERO;
  }

  /** Returns the usage of each limit, in the order of the entries. */
  default List<EntryUsage> usages() {
    return answer().usages();
  }
}
