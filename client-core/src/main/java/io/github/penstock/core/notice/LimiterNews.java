package io.github.penstock.core.notice;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.Usage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports what the limiters of one object do: every call to every listener, and to the log, once,
 * what an operator must know. Safe for use by several threads.
 *
 * <p>Logs when calls begin to be decided without the server, and when an answer comes at least a
 * second after the last such call. Of the exceptions that listeners throw, it logs at most one a
 * second, with the number of those it left out.
 */
public final class LimiterNews {
  private static final Logger LOG = System.getLogger("io.github.penstock");
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final List<RateLimitListener> listeners;
  private final AtomicBoolean unavailable = new AtomicBoolean();
  private final AtomicLong decidedWithout = new AtomicLong();
  private volatile long unavailableNanos;
  private final AtomicLong brokenNanos = new AtomicLong(System.nanoTime() - PAUSE_NANOS);
  private final AtomicLong untold = new AtomicLong();

  /** News for these. */
  public LimiterNews(List<RateLimitListener> listeners) {
    this.listeners = listeners;
  }

  /** Returns whether anybody listens. */
  public boolean isHeard() {
    return !listeners.isEmpty();
  }

  /** Tells listeners of a decision. */
  public void decided(LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
    tell(listener -> listener.onDecision(call, acquired, cause));
  }

  /** Tells listeners of the answer to a peek or a refund. */
  public void used(LimiterCall call, Usage usage) {
    tell(listener -> listener.onUsage(call, usage));
  }

  /** Tells listeners of a failure. */
  public void failed(LimiterCall call, RuntimeException failure) {
    tell(listener -> listener.onFailure(call, failure));
  }

  /** The server answered a call. */
  public void answered() {
    if (unavailable.get()
        && System.nanoTime() - unavailableNanos >= PAUSE_NANOS
        && unavailable.compareAndSet(true, false)) {
      long without = decidedWithout.getAndSet(0);
      LOG.log(Level.INFO, "the server decides again; calls decided without it: {0}", without);
    }
  }

  /** No decision could be made, and the call was allowed or denied as the user chose. */
  public void unavailable(OnUnavailable choice, RuntimeException cause) {
    unavailableNanos = System.nanoTime();
    decidedWithout.incrementAndGet();
    if (unavailable.compareAndSet(false, true)) {
      String what = choice == OnUnavailable.ALLOW ? "allowed" : "denied";
      String begins = "calls are " + what + " without the server, until it can be asked again: ";
      LOG.log(Level.WARNING, begins + cause.getMessage());
      LOG.log(Level.DEBUG, begins, cause);
    }
  }

  /** A node is left alone, because it does not answer. */
  public void leftAlone(Object node) {
    LOG.log(
        Level.WARNING,
        "{0} does not answer: calls are decided without it, except for one now and then",
        node);
    tell(listener -> listener.onPause(String.valueOf(node)));
  }

  /** That node answers again, or another one has taken its place. */
  public void pauseEnded(Object node) {
    LOG.log(
        Level.INFO,
        "{0}, or the node that took its place, answers again and is asked as usual",
        node);
    tell(listener -> listener.onPauseEnd(String.valueOf(node)));
  }

  /* An Error, too: on the way out of an asynchronous call it would leave its caller waiting. */
  private void tell(Consumer<RateLimitListener> news) {
    for (RateLimitListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (Throwable broken) {
        report(listener, broken);
      }
    }
  }

  private void report(RateLimitListener listener, Throwable broken) {
    long last = brokenNanos.get();
    long now = System.nanoTime();
    if (now - last < PAUSE_NANOS || !brokenNanos.compareAndSet(last, now)) {
      untold.incrementAndGet();
      return;
    }
    String what = "a listener threw an exception: " + listener.getClass().getName();
    long more = untold.getAndSet(0);
    try {
      LOG.log(Level.WARNING, what + "; since the last report " + more + " more times", broken);
    } catch (Throwable logs) {
      untold.incrementAndGet();
    }
  }
}
