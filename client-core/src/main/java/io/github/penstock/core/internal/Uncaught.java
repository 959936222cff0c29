package io.github.penstock.core.internal;

/** Where goes what no caller can be told, because it is not about the caller's call. */
final class Uncaught {
  private Uncaught() {}

  /** Tells the thread's handler of uncaught exceptions, and throws nothing. */
  static void tell(Throwable thrown) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    } catch (Throwable handlers) {
      handlers.addSuppressed(thrown);
    }
  }
}
