package io.github.penstock.core.internal.waiting;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of the library, which serve the whole process, however many limiters it has. They are
 * daemons, and end when they have nothing to do; {@code docs/clients.md} names them.
 */
public final class DaemonThreads {
  /** One thread, which finds the calls whose deadline has passed; its tasks must not block. */
  public static final Executor TIMER = atMost(1, "penstock-timer");

  /** Completes late calls, on several threads, as code that depends on a call may block. */
  public static final Executor LATE = atMost(16, "penstock-late");

  /** Sends calls again that lacked a connection. */
  public static final Executor RECONNECTING = atMost(1, "penstock-reconnect");

  /** Renews reservations; a blocking one keeps its thread until the server answers. */
  public static final Executor RENEWING = atMost(4, "penstock-renewals");

  /** As many threads as there are unanswered checks. */
  public static final Executor CHECKING =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          named("penstock-check"));

  private DaemonThreads() {}

  private static Executor atMost(int threads, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadFactory named(String name) {
    return task -> thread(task, name);
  }

  /** Starts a thread for one task that may block for long, such as making a client. */
  public static void start(Runnable task, String name) {
    thread(task, name).start();
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
