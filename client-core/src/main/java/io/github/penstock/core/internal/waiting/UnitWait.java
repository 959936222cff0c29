package io.github.penstock.core.internal.waiting;

import io.github.penstock.core.Decision;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The wait of one call for its units: its length, and the meaning of each answer for it. Safe for
 * use by one thread after the other.
 */
final class UnitWait {
  private static final Duration LONGEST = Duration.ofDays(366);

  /* A part of the wait, because callers in other processes have the same wait. */
  private static final int RANDOM_PART = 8;

  private final TimeSource time;
  private final long endNanos;
  private long readyNanos;
  private long randomNanos;

  /**
   * A wait that begins now.
   *
   * @throws IllegalArgumentException if it is negative or longer than 366 days
   */
  UnitWait(Duration atMost, TimeSource time) {
    this.time = time;
    Objects.requireNonNull(atMost, "atMost");
    if (atMost.isNegative() || atMost.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("atMost must be from 0 to 366 days: " + atMost);
    }
    endNanos = time.nanos() + atMost.toNanos();
  }

  long endNanos() {
    return endNanos;
  }

  private long leftNanos() {
    return Math.max(0, endNanos - time.nanos());
  }

  /** Notes an answer; returns whether it was a denial that is worth waiting for another one. */
  boolean isWorthWaiting(Decision decision) {
    if (decision.allowed() || decision.impossible()) {
      return false;
    }
    long waitNanos = TimeUnit.MICROSECONDS.toNanos(decision.waitMicros());
    readyNanos = time.nanos() + waitNanos;
    randomNanos = waitNanos / RANDOM_PART;
    return decision.retryAfter().compareTo(Duration.ofNanos(leftNanos())) <= 0;
  }

  /**
   * Returns the end of the pause before the next call, with a random part, within the remaining
   * time.
   */
  long pauseEndNanos() {
    long random = ThreadLocalRandom.current().nextLong(randomNanos + 1);
    return readyNanos + Math.max(0, Math.min(random, endNanos - readyNanos));
  }

  /** Returns whether an admitted call's turn comes in time. */
  boolean isInTime(Decision allowed) {
    return allowed.delay().compareTo(Duration.ofNanos(leftNanos())) <= 0;
  }

  /** Returns when the turn of a call comes that is admitted now. */
  static long turnNanos(Decision allowed, TimeSource time) {
    return time.nanos() + TimeUnit.MICROSECONDS.toNanos(allowed.waitMicros());
  }

  /** The decision of a call whose turn has come: no delay is left. */
  static Decision atItsTurn(Decision allowed) {
    return allowed.waitMicros() == 0 ? allowed : with(allowed, true, 0);
  }

  /** The decision of a call whose turn was too late, and which gave its units back. */
  Decision tooLate(Decision allowed) {
    long left = TimeUnit.NANOSECONDS.toMicros(leftNanos());
    return with(allowed, false, Math.max(1, allowed.waitMicros() - left));
  }

  private static Decision with(Decision decision, boolean allowed, long waitMicros) {
    return new Decision(
        allowed,
        decision.limit(),
        decision.remaining(),
        waitMicros,
        decision.resetMicros(),
        decision.tier(),
        decision.source());
  }
}
