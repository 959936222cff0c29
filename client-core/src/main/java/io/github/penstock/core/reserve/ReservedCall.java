package io.github.penstock.core.reserve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The decision about a call that reserves units. {@link Reservation} and {@link AsyncReservation}
 * extend this interface.
 */
public interface ReservedCall {
  /** The wait of a call that can never succeed, which is 200 years. */
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
   * Returns whether the limits were enforced; false if {@code onUnavailable} or {@code onOverload}
   * determined the result. In that case, it is unknown which units are held.
   */
  default boolean enforced() {
    return answer().enforced();
  }

  /**
   * Returns the exact time after which the call is allowed if no reservation is settled in the
   * meantime. The time is zero if the call was allowed, and {@link #NEVER} if a cost exceeds its
   * limit. To find out when to retry, use {@link #askAgainAfter}.
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
   * Returns how long to wait before retrying a denied call. This is {@link #retryAfter}, or a
   * random time of 50 to 250 ms if that is shorter and held units might be settled earlier.
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

  /** Returns how long an allowed call must wait for its turn in the queue of a leaky bucket. */
  default Duration delay() {
    return allowed() ? Duration.of(answer().waitMicros(), ChronoUnit.MICROS) : Duration.ZERO;
  }

  /** Returns the usage of each limit, in the order of the entries. */
  default List<EntryUsage> usages() {
    return answer().usages();
  }
}
