package io.github.penstock.benchmarks.limiter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.SampleBuffer;

/** A round in which callers each begin a call as soon as their last one has ended. */
public final class ClosedLoop {
  /** The stage of a call that has waited for its decision. */
  public static final CompletionStage<?> BLOCKED = CompletableFuture.completedFuture(true);

  private final IntFunction<CompletionStage<?>> call;
  private final long endNanos;
  private final CountDownLatch calling;
  private final Caller[] callers;
  private volatile @Nullable Throwable failure;

  /**
   * The calls of a round.
   *
   * @param inTime how many ended before its end
   * @param all with those that were under way then
   * @param medianNanos the time that half of the calls did not exceed
   */
  public record Calls(long inTime, long all, double medianNanos) {}

  private ClosedLoop(
      IntFunction<CompletionStage<?>> call, SubjectWorkload workload, int callers, long nanos) {
    this.call = call;
    this.calling = new CountDownLatch(callers);
    this.callers =
        IntStream.range(0, callers)
            .mapToObj(caller -> new Caller(new SubjectSequence(workload, caller)))
            .toArray(Caller[]::new);
    endNanos = System.nanoTime() + nanos;
  }

  /**
   * Runs a round.
   *
   * @throws IllegalStateException if a call failed
   */
  public static Calls run(
      IntFunction<CompletionStage<?>> call,
      SubjectWorkload workload,
      int callers,
      Executor threads,
      long nanos)
      throws InterruptedException {
    ClosedLoop loop = new ClosedLoop(call, workload, callers, nanos);
    Stream.of(loop.callers).forEach(threads::execute);
    loop.calling.await();
    if (loop.failure != null) {
      throw new IllegalStateException("a call failed", loop.failure);
    }
    SampleBuffer times = new SampleBuffer();
    Stream.of(loop.callers).forEach(caller -> times.addAll(caller.nanos));
    long inTime = Stream.of(loop.callers).mapToLong(caller -> caller.inTime).sum();
    return new Calls(inTime, times.count(), times.getStatistics(1).getPercentile(50));
  }

  private final class Caller implements Runnable {
    private final SubjectSequence subjects;
    private final SampleBuffer nanos = new SampleBuffer();
    private long inTime;

    Caller(SubjectSequence subjects) {
      this.subjects = subjects;
    }

    @Override
    public void run() {
      long begun;
      do {
        begun = System.nanoTime();
        CompletionStage<?> stage = begin();
        if (stage != BLOCKED) {
          long at = begun;
          stage.whenComplete(
              (decision, thrown) -> {
                if (goesOn(at, thrown)) {
                  run();
                }
              });
          return;
        }
      } while (goesOn(begun, null));
    }

    private CompletionStage<?> begin() {
      try {
        return call.apply(subjects.next());
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    /* Called once after each call, by one thread at a time. */
    private boolean goesOn(long begun, @Nullable Throwable thrown) {
      long now = System.nanoTime();
      nanos.add(now - begun);
      if (thrown != null) {
        failure = thrown;
      }
      if (now - endNanos < 0) {
        inTime++;
        if (failure == null) {
          return true;
        }
      }
      calling.countDown();
      return false;
    }
  }
}
