package io.github.penstock.lettuce;

import io.github.penstock.core.spi.AnswerWatch;
import io.github.penstock.core.spi.BusyNodeException;
import io.github.penstock.core.spi.EventLoopWatch;
import io.github.penstock.core.spi.NotSentException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The outstanding answers of one server: bounds the calls that Lettuce holds while the server
 * answers nothing, independently of the bound of the connection's own queue. Safe for use by
 * several threads.
 *
 * <p>Answers come in the order of the calls, so the latest answered call shows how many were not
 * answered; a call that was lost with its connection need not be subtracted. Once a second a call
 * is let through nevertheless, because there are no answers without calls.
 */
final class CallBacklog {
  private static final int MOST = 20_000;
  /* With fewer calls before it, a call that is late was lost, or its server is away. */
  private static final int MANY = 1_000;
  private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong lastSentNanos = new AtomicLong(System.nanoTime());
  private final EventLoopWatch loops;
  private final AnswerWatch watch;

  /**
   * A backlog with nothing in it.
   *
   * @param deadline the deadline of the calls: a server that answered none within it is not
   *     overloaded
   * @param loops the event loops that read the answers
   */
  CallBacklog(Duration deadline, EventLoopWatch loops) {
    this.loops = loops;
    watch = new AnswerWatch(deadline, loops);
  }

  /**
   * Returns the place of the first of {@code calls}.
   *
   * @throws NotSentException if too many wait already
   */
  long take(int calls) {
    long done = answered.get();
    long owed = sent.get() - done;
    if (owed <= 0 || owed >= MOST / 2) {
      watch.sending(done, owed <= 0);
    }
    long last = lastSentNanos.get();
    long now = System.nanoTime();
    if (owed >= MOST && (now - last < TRIAL_NANOS || !lastSentNanos.compareAndSet(last, now))) {
      throw full("too many calls have no answer, so this was not sent");
    }
    lastSentNanos.lazySet(now);
    return sent.getAndAdd(calls) + 1;
  }

  /** The failure of a call that finds this, or a queue of the client, full. */
  NotSentException full(String why) {
    return full(new UnsentCallException(this, why));
  }

  NotSentException full(UnsentCallException reason) {
    return watch.full(answered.get(), reason);
  }

  /** The failure of a call that was sent and is late; null if its server is not only busy. */
  @Nullable BusyNodeException busy() {
    long owed = sent.get() - answered.get();
    return owed >= MANY || loops.isBehind() ? watch.busy(owed) : null;
  }

  /** The call at this place has its answer. */
  void answered(long place) {
    if (sent.get() - place >= MANY) {
      watch.answeredAmongMany();
    }
    if (answered.get() < place) {
      answered.accumulateAndGet(place, Math::max);
    }
  }
}
