package io.github.penstock.core.internal.notice;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.Usage;
import io.github.penstock.core.VerdictChange;
import io.github.penstock.core.VerdictChange.Verdict;
import io.github.penstock.core.reserve.ReservationEvent;
import io.github.penstock.core.spi.connecting.ConnectingException;
import io.github.penstock.core.spi.time.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports the events of the limiters of one object: every call to every listener, and to the log,
 * once, those that an operator must know. Safe for use by several threads.
 *
 * <p>Logs when calls begin to be decided without the server, and when an answer comes at least a
 * second after the last such call; until there was an answer, why there was none, once a minute. Of
 * overloads it logs at most one a second, with their number. Of the exceptions that listeners
 * throw, it logs at most one a second, with the number of those it left out.
 */
public final class LimiterEvents {
  private static final Logger LOG = System.getLogger("io.github.penstock");
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final List<RateLimitListener> listeners;
  private final TimeSource time;
  private final AtomicBoolean unavailable = new AtomicBoolean();
  private final AtomicLong undecidedNanos;
  private final AtomicLong overloadedNanos;
  private final AtomicLong overloads = new AtomicLong();
  private volatile boolean decided;
  private volatile boolean settled;
  private final AtomicLong decidedWithout = new AtomicLong();
  private volatile long unavailableNanos;
  private final AtomicLong brokenNanos;
  private final AtomicLong unpublished = new AtomicLong();

  /** News for these; the times between reports are those of {@code time}. */
  public LimiterEvents(List<RateLimitListener> listeners, TimeSource time) {
    this.listeners = listeners;
    this.time = time;
    long madeNanos = time.nanos();
    undecidedNanos = new AtomicLong(madeNanos - MINUTE_NANOS);
    overloadedNanos = new AtomicLong(madeNanos - PAUSE_NANOS);
    brokenNanos = new AtomicLong(madeNanos - PAUSE_NANOS);
  }

  /** Returns whether anybody listens. */
  public boolean isHeard() {
    return !listeners.isEmpty();
  }

  /** Publishes to listeners of a decision. */
  public void decided(LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
    publish(listener -> listener.onDecision(call, acquired, cause));
  }

  /** Publishes to listeners of the answer to a peek or a refund. */
  public void used(LimiterCall call, Usage usage) {
    publish(listener -> listener.onUsage(call, usage));
  }

  /** Publishes an event of a call under several limits to listeners. */
  public void reserved(ReservationEvent event) {
    publish(listener -> listener.onReservation(event));
  }

  /** Publishes to listeners of a failure. */
  public void failed(LimiterCall call, RuntimeException failure) {
    publish(listener -> listener.onFailure(call, failure));
  }

  /** Returns whether the server has answered a call. */
  public boolean hasDecided() {
    return decided;
  }

  /** The server answered a call. */
  public void answered() {
    if (!settled) {
      settle();
    }
  }

  /* "settled" is written before "unavailable" is read, and the other way round in unavailable(). */
  private void settle() {
    decided = true;
    settled = true;
    if (unavailable.get()
        && time.nanos() - unavailableNanos >= PAUSE_NANOS
        && unavailable.compareAndSet(true, false)) {
      long without = decidedWithout.getAndSet(0);
      LOG.log(Level.INFO, "the server decides again; calls decided without it: {0}", without);
    }
    if (unavailable.get()) {
      settled = false;
    }
  }

  /** No decision could be made, and the call was allowed or denied as the user chose. */
  public void unavailable(OnUnavailable choice, RuntimeException cause) {
    unavailableNanos = time.nanos();
    decidedWithout.incrementAndGet();
    boolean begins = unavailable.compareAndSet(false, true);
    settled = false;
    if (begins) {
      String what =
          choice.isLocal()
              ? "decided by this process's share of their limits"
              : choice == OnUnavailable.ALLOW ? "allowed" : "denied";
      String warning = "calls are " + what + " without the server, until it can be asked again: ";
      LOG.log(Level.WARNING, warning + cause.getMessage());
      LOG.log(Level.DEBUG, warning, cause);
    }
  }

  /** A bound was full, and the call was allowed or denied as the user chose. */
  public void overloaded(OnOverload choice, RuntimeException cause) {
    overloads.incrementAndGet();
    long last = overloadedNanos.get();
    long now = time.nanos();
    if (now - last >= PAUSE_NANOS && overloadedNanos.compareAndSet(last, now)) {
      String what = choice == OnOverload.ALLOW ? "allowed" : "denied";
      LOG.log(
          Level.WARNING,
          "overloaded; calls that were "
              + what
              + " since the last report: "
              + overloads.getAndSet(0)
              + "; "
              + cause.getMessage());
    }
  }

  /**
   * A call failed; reported once and then every minute until the first decision. That the first
   * connection is still being made is news only if it takes long.
   */
  public void failing(RuntimeException cause) {
    if (decided) {
      return;
    }
    long last = undecidedNanos.get();
    long now = time.nanos();
    if (cause.getCause() instanceof ConnectingException) {
      return;
    }
    if (now - last >= MINUTE_NANOS && undecidedNanos.compareAndSet(last, now)) {
      LOG.log(Level.WARNING, "the server has not decided any call so far: " + cause.getMessage());
      LOG.log(Level.DEBUG, "the server has not decided any call so far", cause);
    }
  }

  /** The circuit of a node is open, because it does not answer. */
  public void circuitOpened(Object node) {
    LOG.log(
        Level.WARNING,
        "{0} does not answer: calls are decided without it, except for occasional probes",
        node);
    publish(listener -> listener.onCircuitOpened(String.valueOf(node)));
  }

  /** That node answers again, or another one has taken its place. */
  public void circuitClosed(Object node) {
    LOG.log(
        Level.INFO,
        "{0}, or the node that replaced it, answers again and decides calls as usual",
        node);
    publish(listener -> listener.onCircuitClosed(String.valueOf(node)));
  }

  /** The verdict on a node has changed (rule F2): whether it answers. */
  public void verdict(VerdictChange change) {
    RuntimeException refusal = change.refusal();
    LOG.log(
        change.verdict() == Verdict.UP ? Level.INFO : Level.WARNING,
        "the verdict on "
            + change.node()
            + ": "
            + word(change.verdict())
            + ", after "
            + change.lasted().toMillis()
            + " ms of "
            + word(change.before())
            + (refusal == null ? "" : ": " + refusal.getMessage()));
    publish(listener -> listener.onVerdict(change));
  }

  private static String word(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }

  /* An Error, too: on the way out of an asynchronous call it would leave its caller waiting. */
  private void publish(Consumer<RateLimitListener> events) {
    for (RateLimitListener listener : listeners) {
      try {
        events.accept(listener);
      } catch (Throwable broken) {
        report(listener, broken);
      }
    }
  }

  private void report(RateLimitListener listener, Throwable broken) {
    long last = brokenNanos.get();
    long now = time.nanos();
    if (now - last < PAUSE_NANOS || !brokenNanos.compareAndSet(last, now)) {
      unpublished.incrementAndGet();
      return;
    }
    String what = "a listener threw an exception: " + listener.getClass().getName();
    long more = unpublished.getAndSet(0);
    try {
      LOG.log(Level.WARNING, what + "; since the last report " + more + " more times", broken);
    } catch (Throwable logs) {
      unpublished.incrementAndGet();
    }
  }
}
