package io.github.penstock.compat.suite;

import static java.util.stream.Collectors.joining;

import io.github.penstock.core.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls from many threads, one after the other in each, until {@link #finish}; what became of each
 * call is kept. Safe for use by several threads.
 */
final class Load implements AutoCloseable {
  /* About as many calls a second with any number of threads: the machine is not what is tested. */
  private static final int THREADS_PER_MS = 4;

  private final List<Thread> threads = new ArrayList<>();
  private final List<List<Call>> calls = new ArrayList<>();
  private final Stalls stalls = Stalls.watching();
  private final long pauseMs;
  private volatile boolean finished;
  private volatile long lastFailureNanos = System.nanoTime();

  /**
   * One call.
   *
   * @param decision null if it failed
   * @param failure null if it was decided
   */
  record Call(
      String subject,
      long startNanos,
      long endNanos,
      @Nullable Decision decision,
      @Nullable RuntimeException failure) {
    long nanos() {
      return endNanos - startNanos;
    }

    boolean failed() {
      return failure != null;
    }

    /** True if it began and failed between two times. */
    boolean failedWithin(long fromNanos, long toNanos) {
      return failed() && startNanos > fromNanos && endNanos < toNanos;
    }

    boolean admitted() {
      return decision != null && decision.allowed() && decision.enforced();
    }
  }

  private Load(int threads) {
    pauseMs = Math.max(1, threads / THREADS_PER_MS);
  }

  /** Begins; each call has a subject of its own. */
  static Load onManySubjects(int threads, Function<String, Decision> call) {
    return start(threads, call, true);
  }

  /** Begins; all calls have the same subject. */
  static Load onOneSubject(int threads, Function<String, Decision> call) {
    return start(threads, call, false);
  }

  private static Load start(int count, Function<String, Decision> call, boolean manySubjects) {
    Load load = new Load(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      List<Call> made = new ArrayList<>();
      load.calls.add(made);
      Thread thread =
          new Thread(() -> load.run(number, call, manySubjects, made), "penstock-load-" + i);
      thread.setDaemon(true);
      load.threads.add(thread);
    }
    load.threads.forEach(Thread::start);
    return load;
  }

  private void run(
      int number, Function<String, Decision> call, boolean manySubjects, List<Call> made) {
    try {
      for (int i = 0; !finished; i++) {
        Call done = timed(manySubjects ? number + "-" + i : "one", call);
        made.add(done);
        if (done.failed()) {
          lastFailureNanos = done.endNanos;
        }
        Thread.sleep(pauseMs);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static Call timed(String subject, Function<String, Decision> call) {
    long start = System.nanoTime();
    try {
      Decision decision = call.apply(subject);
      return new Call(subject, start, System.nanoTime(), decision, null);
    } catch (RuntimeException failure) {
      return new Call(subject, start, System.nanoTime(), null, failure);
    }
  }

  /** Goes on for this long. */
  Load during(Duration duration) throws InterruptedException {
    Thread.sleep(duration.toMillis());
    return this;
  }

  /** Goes on until no call has failed for a second, at most for 20 s; the time when that is. */
  long untilCalm() throws InterruptedException {
    long secondNanos = TimeUnit.SECONDS.toNanos(1);
    long begunNanos = System.nanoTime();
    long now = begunNanos;
    while (now - Math.max(lastFailureNanos, begunNanos) < secondNanos
        && now - begunNanos < 20 * secondNanos) {
      Thread.sleep(20);
      now = System.nanoTime();
    }
    return now;
  }

  /** Goes on until calm, ends, and returns all calls. */
  List<Call> finishCalm() throws InterruptedException {
    untilCalm();
    return finish();
  }

  /** An AssertionError with the number of calls and the first of them, if there are any. */
  static void expectNone(String which, List<Call> calls, Predicate<Call> matching) {
    List<Call> found = calls.stream().filter(matching).toList();
    if (!found.isEmpty()) {
      String first = found.stream().limit(3).map(Call::toString).collect(joining(", "));
      RuntimeException failure = found.get(0).failure();
      throw new AssertionError(
          "%d of %d calls %s: %s".formatted(found.size(), calls.size(), which, first), failure);
    }
  }

  /** Lets the last call of each thread end, for at most 30 s, and returns all calls. */
  List<Call> finish() throws InterruptedException {
    finished = true;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      if (thread.isAlive()) {
        AssertionError stuck = new AssertionError("a call has not ended after 30 s");
        stuck.setStackTrace(thread.getStackTrace());
        throw stuck;
      }
    }
    return calls.stream().flatMap(List::stream).toList();
  }

  /** The longest that the machine kept a thread waiting while this went on. */
  long longestStallNanos() {
    return stalls.longestNanos();
  }

  @Override
  public void close() {
    finished = true;
    stalls.close();
    threads.forEach(Thread::interrupt);
  }
}
