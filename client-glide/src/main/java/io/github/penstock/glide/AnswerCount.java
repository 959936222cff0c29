package io.github.penstock.glide;

import glide.api.models.exceptions.RequestException;
import io.github.penstock.core.spi.AnswerWatch;
import io.github.penstock.core.spi.BusyNodeException;
import io.github.penstock.core.spi.EventLoopWatch;
import io.github.penstock.core.spi.NotSentException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one client that are under way, at most 16,384, and whether the server still answers.
 * Safe for use by several threads.
 */
final class AnswerCount {
  /** How many calls may be under way. */
  static final int MOST = 16_384;

  /* With fewer calls under way, a call that is late was lost, or its server is away. */
  private static final int MANY = 1_000;
  private static final Duration LEAST_SILENCE = Duration.ofMillis(500);
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong answers = new AtomicLong();
  private final AnswerWatch watch;
  private final long silenceNanos;
  private final Runnable silent;
  private volatile long heardNanos;
  private volatile boolean owed;

  /**
   * Nothing under way.
   *
   * @param deadline of the calls
   * @param silent called when a call is late and nothing was answered for a deadline
   */
  AnswerCount(Duration deadline, Runnable silent) {
    watch = new AnswerWatch(deadline, new EventLoopWatch(deadline));
    silenceNanos = Math.max(deadline.toNanos(), LEAST_SILENCE.toNanos());
    this.silent = silent;
  }

  /**
   * Notes that calls are about to be sent.
   *
   * @throws NotSentException if too many are under way already
   */
  void begin(int calls) {
    int before = underWay.get();
    if (before == 0 || before >= MOST / 2) {
      watch.sending(answers.get(), before == 0);
    }
    if (before >= MOST) {
      throw full(new RequestException(MOST + " calls have no answer, so this was not sent"));
    }
    if (!owed) {
      heardNanos = System.nanoTime();
      owed = true;
    }
    underWay.addAndGet(calls);
  }

  /** A call ended, before its caller knows. */
  void end(boolean answered) {
    if (answered) {
      answers.incrementAndGet();
      if (underWay.get() >= MANY) {
        watch.answeredAmongMany();
      }
      heardNanos = System.nanoTime();
    }
    if (underWay.decrementAndGet() == 0 && answered) {
      owed = false;
    }
  }

  /** The failure of a call that found something full. */
  NotSentException full(RuntimeException reason) {
    return watch.full(answers::get, reason);
  }

  /** Notes that a call is late; returns its failure, or null if the server is not only busy. */
  @Nullable BusyNodeException late() {
    if (owed && System.nanoTime() - heardNanos >= silenceNanos) {
      silent.run();
    }
    int calls = underWay.get();
    return calls >= MANY ? watch.busy(calls) : null;
  }
}
