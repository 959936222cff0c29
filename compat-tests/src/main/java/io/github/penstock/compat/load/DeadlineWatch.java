package io.github.penstock.compat.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * Times calls that have a deadline, and compares the slowest with the deadline plus the time for
 * which the machine itself kept a thread waiting. Safe for use by several threads.
 */
public final class DeadlineWatch implements AutoCloseable {
  private final Duration deadline;
  private final StallWatch stalls = StallWatch.watching();
  private final LongAccumulator slowestNanos = new LongAccumulator(Math::max, 0);

  private DeadlineWatch(Duration deadline) {
    this.deadline = deadline;
  }

  /** A watch over calls that have this deadline each. */
  public static DeadlineWatch over(Duration deadline) {
    return new DeadlineWatch(deadline);
  }

  /** Makes one call and ignores its outcome. */
  public <T> T timed(Callable<T> call) throws Exception {
    long start = System.nanoTime();
    try {
      return call.call();
    } finally {
      slowestNanos.accumulate(System.nanoTime() - start);
    }
  }

  /** Makes the call in many threads that start together, and returns the result of each. */
  public <T> List<T> inThreads(int threads, Callable<T> call) throws Exception {
    return ConcurrentRun.each(threads, 1, (thread, number) -> timed(call));
  }

  /**
   * Throws an AssertionError if a call took longer than its deadline plus the machine's allowance.
   */
  public void check() {
    Duration stall = Duration.ofNanos(stalls.longestNanos());
    assertThat(Duration.ofNanos(slowestNanos.get()))
        .as("slowest call with a deadline of %s, stalls of %s", deadline, stall)
        .isPositive()
        .isLessThanOrEqualTo(CaseBounds.longestCall(deadline, stall));
  }

  @Override
  public void close() {
    stalls.close();
  }
}
