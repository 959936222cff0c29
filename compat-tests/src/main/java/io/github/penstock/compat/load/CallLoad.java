package io.github.penstock.compat.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.Decision;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Calls from many threads, one after the other in each, until {@link #finish}; the outcome of each
 * call is kept. Safe for use by several threads.
 */
public final class CallLoad implements AutoCloseable {
  /*
   * About as many calls a second with any number of threads: the machine is not the subject of the
   * test.
   */
  private static final int THREADS_PER_MS = 2;

  /** Calls of all threads together that are decided in a row when all is well. */
  private static final int CALM_CALLS = 1_000;

  /* Only so that a test ends at all: no machine is so busy. */
  private static final Duration MOST = Duration.ofMinutes(2);

  private final List<CallThread> threads = new ArrayList<>();
  private final StallWatch stalls = StallWatch.watching();

  private CallLoad() {}

  /** Starts a load in which each call has a separate subject. */
  public static CallLoad onManySubjects(int threads, Function<String, Decision> call) {
    return start(threads, call, true);
  }

  /** Starts a load in which all calls have the same subject. */
  public static CallLoad onOneSubject(int threads, Function<String, Decision> call) {
    return start(threads, call, false);
  }

  private static CallLoad start(int count, Function<String, Decision> call, boolean manySubjects) {
    CallLoad load = new CallLoad();
    long pauseMs = Math.max(1, count / THREADS_PER_MS);
    for (int i = 0; i < count; i++) {
      String subjects = manySubjects ? i + "-" : null;
      load.threads.add(new CallThread("penstock-load-" + i, subjects, call, pauseMs));
    }
    load.threads.forEach(CallThread::start);
    return load;
  }

  /**
   * Continues for this long, and until each thread has ended this many calls that it began
   * meanwhile.
   */
  public void during(Duration duration, int callsPerThread) throws InterruptedException {
    long end = System.nanoTime() + duration.toNanos();
    awaitCalls(callsPerThread);
    TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
  }

  /** Continues until each thread has ended this many calls that it began from now on. */
  public void awaitCalls(int perThread) {
    await(perThread, "calls", CallThread::endedSince);
  }

  /** Continues until enough calls in a row were decided to show that nothing is wrong. */
  public void awaitCalm() {
    awaitCalm(Math.max(10, CALM_CALLS / threads.size()));
  }

  /** Continues until each thread has ended this many calls in a row that were decided. */
  public void awaitCalm(int perThread) {
    await(perThread, "decided calls in a row", CallThread::decidedSince);
  }

  private void await(
      int perThread, String what, ToIntBiFunction<CallThread, Integer> callsSinceFirst) {
    List<Integer> begun = threads.stream().map(CallThread::begun).toList();
    for (int i = 0; i < begun.size(); i++) {
      CallThread thread = threads.get(i);
      int first = begun.get(i);
      try {
        ServerEvents.await(what)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> callsSinceFirst.applyAsInt(thread, first) >= perThread);
      } catch (ConditionTimeoutException never) {
        throw stuck(
            thread,
            "a thread must end %d %s, not %d"
                .formatted(perThread, what, callsSinceFirst.applyAsInt(thread, first)));
      }
    }
  }

  private static AssertionError stuck(CallThread thread, String message) {
    AssertionError stuck = new AssertionError(message);
    stuck.setStackTrace(thread.stackTrace());
    return stuck;
  }

  /** Lets the last call of each thread end, and returns all calls. */
  public List<LoadCall> finish() throws InterruptedException {
    threads.forEach(CallThread::finish);
    List<LoadCall> all = new ArrayList<>();
    for (CallThread thread : threads) {
      List<LoadCall> calls = thread.calls(MOST.toMillis());
      if (calls == null) {
        throw stuck(thread, "a call has not ended after " + MOST);
      }
      all.addAll(calls);
    }
    return all;
  }

  /** Throws an AssertionError with the first of such calls, if there are any. */
  public static void expectNone(String which, List<LoadCall> calls, Predicate<LoadCall> matching) {
    assertThat(calls.stream().filter(matching).limit(3))
        .as("the first of %d calls that %s", calls.size(), which)
        .isEmpty();
  }

  /** Returns how long the machine kept threads waiting while this went on. */
  public StallWatch stalls() {
    return stalls;
  }

  @Override
  public void close() {
    stalls.close();
    threads.forEach(CallThread::interrupt);
  }
}
