package io.github.penstock.benchmarks.limiter;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.SampleBuffer;

/**
 * Calls of one thread that never waits for one, unless {@value #MOST} are in flight, and the time
 * of each. Other threads may complete them.
 */
public final class CallsInFlight implements Predicate<SubjectSequence> {
  /** How many are in flight at most. */
  public static final int MOST = 256;

  private final IntFunction<CompletionStage<?>> call;
  private final Semaphore free = new Semaphore(MOST);
  private SampleBuffer nanos = new SampleBuffer();
  private volatile @Nullable Throwable failure;

  /** Calls that begin with a subject and end with the stage. */
  public CallsInFlight(IntFunction<CompletionStage<?>> call) {
    this.call = call;
  }

  @Override
  public boolean test(SubjectSequence sequence) {
    free.acquireUninterruptibly();
    long begin = System.nanoTime();
    call.apply(sequence.next())
        .whenComplete(
            (decision, thrown) -> {
              add(System.nanoTime() - begin);
              free.release();
              if (thrown != null) {
                failure = thrown;
              }
            });
    return true;
  }

  private synchronized void add(long took) {
    nanos.add(took);
  }

  /** Forgets the times until now. */
  public synchronized void begin() {
    nanos = new SampleBuffer();
  }

  /**
   * Waits for the calls in flight.
   *
   * @throws IllegalStateException if any call failed
   */
  public void drain() {
    free.acquireUninterruptibly(MOST);
    free.release(MOST);
    if (failure != null) {
      throw new IllegalStateException("a call failed", failure);
    }
  }

  /** The nanoseconds that this percentage of the calls did not exceed. */
  public synchronized long nanos(double percent) {
    return Math.round(nanos.getStatistics(1).getPercentile(percent));
  }
}
