package io.github.penstock.lettuce;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The answers that one server still owes: bounds the calls that Lettuce holds while the server
 * answers nothing, whatever the bound of the connection's own queue. Safe for use by several
 * threads.
 *
 * <p>Answers come in the order of the calls, so the latest answered call shows how many were not
 * answered; a call that was lost with its connection need not be subtracted. Once a second a call
 * is let through all the same, because without calls there are no answers either.
 */
final class CallBacklog {
  private static final int MOST = 20_000;
  private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong lastSentNanos = new AtomicLong(System.nanoTime());

  /** The places of {@code calls}, the first of them; or -1 if too many wait already. */
  long take(int calls) {
    long last = lastSentNanos.get();
    long now = System.nanoTime();
    boolean full = sent.get() - answered.get() >= MOST;
    if (full && (now - last < TRIAL_NANOS || !lastSentNanos.compareAndSet(last, now))) {
      return -1;
    }
    lastSentNanos.lazySet(now);
    return sent.getAndAdd(calls) + 1;
  }

  /** The call at this place has its answer. */
  void answered(long place) {
    if (answered.get() < place) {
      answered.accumulateAndGet(place, Math::max);
    }
  }
}
