package io.github.penstock.lettuce;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The answers that one server still owes: bounds the calls that wait in Lettuce's hands while it
 * answers nothing, whatever the connection's own queue is bounded by. Safe for use by several
 * threads.
 *
 * <p>Answers come in the order of the calls, so the latest call that was answered tells how many
 * were not; a call that was lost with its connection needs no counting down. Once a second a call
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
