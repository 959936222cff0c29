package io.github.penstock.core.internal.notice;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.VerdictChange;
import io.github.penstock.core.VerdictChange.Verdict;
import io.github.penstock.core.limit.Limit;
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
 * once, those that an operator must know. Chooses the outcome of a call for units that the server
 * did not decide, as the options say: the only place where a failure opens a limit. Safe for use by
 * several threads.
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

  private final RateLimiterOptions options;
  private final List<RateLimitListener> listeners;
  private final TimeSource time;
  private final AtomicBoolean closed;
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

  /**
   * News for the options' listeners.
   *
   * @param time the clock of the times between reports
   * @param closed whether the limiters are closed, so that no outcome is chosen
   */
  public LimiterEvents(RateLimiterOptions options, TimeSource time, AtomicBoolean closed) {
    this.options = options;
    listeners = options.listeners();
    this.time = time;
    this.closed = closed;
    long madeNanos = time.nanos();
    undecidedNanos = new AtomicLong(madeNanos - MINUTE_NANOS);
    overloadedNanos = new AtomicLong(madeNanos - PAUSE_NANOS);
    brokenNanos = new AtomicLong(madeNanos - PAUSE_NANOS);
  }

  public boolean isHeard() {
    return !listeners.isEmpty();
  }

  /** An outcome without the server; {@code source} is which of the options chose it. */
  public record UndecidedCall(boolean allowed, DecisionSource source) {
    /** The decision about a limit, whose caller should wait for a deadline if it is denied. */
    public Decision decision(Limit limit, long deadlineNanos) {
      long units = limit.tiers().get(0).capacity();
      long waitMicros = allowed ? 0 : TimeUnit.NANOSECONDS.toMicros(deadlineNanos);
      return new Decision(allowed, units, 0, waitMicros, 0, 1, source);
    }
  }

  /** Chooses the outcome of a failed call, and logs it; null if the exception must be thrown. */
  public @Nullable UndecidedCall choose(FailureKind kind, RuntimeException exception) {
    if (closed.get() || options.throwUntilFirstDecision() && !decided) {
      return null;
    }
    OnUnavailable onUnavailable = options.onUnavailable();
    if (kind.outage() && onUnavailable != OnUnavailable.THROW) {
      unavailable(onUnavailable, exception);
      return new UndecidedCall(onUnavailable == OnUnavailable.ALLOW, DecisionSource.UNAVAILABLE);
    }
    OnOverload onOverload = options.onOverload();
    if (kind == FailureKind.OVERLOADED && onOverload != OnOverload.THROW) {
      overloaded(onOverload, exception);
      return new UndecidedCall(onOverload == OnOverload.ALLOW, DecisionSource.OVERLOADED);
    }
    return null;
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

  /* No decision could be made, and the call was allowed or denied as the user chose. */
  private void unavailable(OnUnavailable choice, RuntimeException cause) {
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

  /* A bound was full, and the call was allowed or denied as the user chose. */
  private void overloaded(OnOverload choice, RuntimeException cause) {
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
    if (decided || cause.getCause() instanceof ConnectingException) {
      return;
    }
    long last = undecidedNanos.get();
    long now = time.nanos();
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
        change.verdict() == Verdict.UP && refusal == null ? Level.INFO : Level.WARNING,
        "the verdict on "
            + change.node()
            + ": "
            + word(change.verdict())
            + (change.verdict() == change.before()
                ? ", although the connection for the check is refused"
                : ", after " + change.lasted().toMillis() + " ms of " + word(change.before()))
            + (refusal == null ? "" : ": " + refusal.getMessage()));
    publish(listener -> listener.onVerdict(change));
  }

  private static String word(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }

  /** Publishes an event to every listener; never throws. */
  public void publish(Consumer<RateLimitListener> event) {
    for (RateLimitListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (Throwable broken) {
        // An Error, too: out of an asynchronous call it would leave its caller waiting.
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
