package io.github.penstock.spring.internal.control;

import io.github.penstock.spring.control.SuspendedPolicies;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports the policies that are not enforced, at once and again after each interval, until all are.
 * Its thread exists from the first policy that is not. Safe for use by several threads.
 */
public final class SuspensionReport implements Consumer<SuspendedPolicies>, AutoCloseable {
  private static final Logger LOG = System.getLogger("io.github.penstock.spring");
  private final long everyNanos;
  private final Consumer<SuspendedPolicies> published;
  private @Nullable ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> repeated;
  private boolean closed;

  /**
   * A report of no policies yet.
   *
   * @param published receives the logged state, such as events of the application
   */
  public SuspensionReport(Duration every, Consumer<SuspendedPolicies> published) {
    everyNanos = every.toNanos();
    this.published = published;
  }

  /** These policies are not enforced from now on. */
  @Override
  public synchronized void accept(SuspendedPolicies now) {
    boolean before = repeated != null;
    if (repeated != null) {
      repeated.cancel(false);
      repeated = null;
    }
    if (closed || now.isEmpty() && !before) {
      return;
    }
    say(now);
    if (!now.isEmpty()) {
      repeated =
          timer().scheduleAtFixedRate(() -> say(now), everyNanos, everyNanos, TimeUnit.NANOSECONDS);
    }
  }

  private ScheduledExecutorService timer() {
    if (timer == null) {
      timer =
          Executors.newSingleThreadScheduledExecutor(
              run -> {
                Thread thread = new Thread(run, "penstock-suspended");
                thread.setDaemon(true);
                return thread;
              });
    }
    return timer;
  }

  /* An exception of a listener must not end the reports. */
  private void say(SuspendedPolicies now) {
    LOG.log(now.isEmpty() ? Level.INFO : Level.WARNING, now.toString());
    try {
      published.accept(now);
    } catch (RuntimeException failed) {
      LOG.log(Level.WARNING, "a listener of " + now + " failed", failed);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
