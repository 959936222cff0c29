package io.github.penstock.core.notice;

/** Failures that no caller can be told, because they are not about the caller's call. */
public final class UncaughtFailures {
  private UncaughtFailures() {}

  /** Tells the thread's handler of uncaught exceptions, and throws nothing. */
  public static void tell(Throwable thrown) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    } catch (Throwable handlers) {
      handlers.addSuppressed(thrown);
    }
  }
}
