package io.github.penstock.core.internal.notice;

/** Reports failures that have nothing to do with a caller's call, so that no caller gets them. */
public final class UncaughtFailures {
  private UncaughtFailures() {}

  /** Calls the thread's handler of uncaught exceptions, and never throws. */
  public static void tell(Throwable thrown) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    } catch (Throwable handlers) {
      handlers.addSuppressed(thrown);
    }
  }
}
