package io.github.penstock.compat.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.result.CaseResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Bounds for the times of a case: no call waits for its client's own time-out. That calls end
 * before the fault does is seen by counting them, see {@link CallLoad#awaitCalls}.
 */
public final class CaseBounds {
  /* A deadline is a promise, not a measurement: a client's own time-outs are longer than this. */
  private static final int DEADLINES = 3;

  /* An upper bound only: Redisson gives a silent connection up after 9 to 10 s. */
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  /** Threads and processes that hand a call on, from the caller to the server and back. */
  static final int STALLS_PER_CALL = 10;

  private CaseBounds() {}

  /** Checks the decided calls, the slowest one and the last failed one. */
  public static void check(CaseResult result) {
    checkSlowest(result);
    Duration call = longestCall(result);
    assertThat(micros(result.recoveryUs()))
        .as("time from the end of \"%s\" to the last failed call", result.fault().text())
        .isLessThanOrEqualTo(RECOVERY.plus(call));
  }

  /** Checks the slowest call, and that enough were decided to say anything. */
  public static void checkSlowest(CaseResult result) {
    assertThat(result.calls() - result.errors())
        .as("decided calls, before \"%s\" and after it", result.fault().text())
        .isGreaterThanOrEqualTo(result.fault().leastDecided());
    assertThat(micros(result.slowestUs()))
        .as("slowest call while %s, stalls of %d us", result.fault().text(), result.stallUs())
        .isLessThanOrEqualTo(longestCall(result));
  }

  private static Duration longestCall(CaseResult result) {
    return longestCall(micros(result.deadlineUs()), micros(result.stallUs()));
  }

  /**
   * Returns how long a call with a deadline may take on a machine that stalls a thread for this
   * long.
   */
  public static Duration longestCall(Duration deadline, Duration stall) {
    return deadline.multipliedBy(DEADLINES).plus(stall.multipliedBy(STALLS_PER_CALL));
  }

  /**
   * Returns whether a call took its deadline, or ended in the last tenth of it, in which no time
   * may be left to try for a connection again.
   */
  public static boolean waitedToTheEnd(LoadCall call, Duration deadline) {
    return call.nanos() >= deadline.toNanos() / 10 * 9;
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
