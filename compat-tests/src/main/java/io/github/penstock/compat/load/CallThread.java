package io.github.penstock.compat.load;

import io.github.penstock.core.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One thread of a load, and the calls that it made. */
final class CallThread {
  private final List<LoadCall> calls = new ArrayList<>();
  private final Function<String, Decision> call;
  private final @Nullable String subjects;
  private final long pauseMs;
  private final Thread thread;
  private volatile boolean finished;
  private volatile int begun;
  private volatile int ended;
  private volatile int endedWithFailure;

  /**
   * A thread that has not started.
   *
   * @param subjects the prefix of the subject of each call, or null if all share one
   */
  CallThread(
      String name, @Nullable String subjects, Function<String, Decision> call, long pauseMs) {
    this.subjects = subjects;
    this.call = call;
    this.pauseMs = pauseMs;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      for (int i = 0; !finished; i++) {
        begun = i + 1;
        LoadCall made = LoadCall.make(subjects == null ? "one" : subjects + i, call);
        calls.add(made);
        endedWithFailure = made.failed() ? i + 1 : endedWithFailure;
        ended = i + 1;
        Thread.sleep(pauseMs);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how many calls it has begun. */
  int begun() {
    return begun;
  }

  /** Returns the number of ended calls after the given count. */
  int endedSince(int first) {
    return ended - first;
  }

  /** Returns the number of decided calls after the given count and after the last failure. */
  int decidedSince(int first) {
    return ended - Math.max(first, endedWithFailure);
  }

  StackTraceElement[] stackTrace() {
    return thread.getStackTrace();
  }

  /** Begins no further call. */
  void finish() {
    finished = true;
  }

  /** The calls, once the last has ended; null if it does not within this time. */
  @Nullable List<LoadCall> calls(long mostMs) throws InterruptedException {
    thread.join(mostMs);
    return thread.isAlive() ? null : calls;
  }

  void interrupt() {
    finished = true;
    thread.interrupt();
  }
}
