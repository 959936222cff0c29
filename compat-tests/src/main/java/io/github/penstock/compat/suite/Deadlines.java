package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What holds for the times of every case. */
final class Deadlines {
  /*
   * A deadline is a promise, not a measurement: what breaks it waits for a fault to end, for a
   * client's own time-out, or for ever, all of which take longer than this on a machine however busy.
   */
  private static final Duration SLACK = Duration.ofSeconds(2);

  /** Threads and processes that hand a call on, from the caller to the server and back. */
  private static final int STALLS_PER_CALL = 10;

  private Deadlines() {}

  static void check(CaseResult result, Duration recovery) {
    assertThat(micros(result.slowestUs()))
        .as("slowest call while %s, stalls of %d us", result.name(), result.stallUs())
        .isLessThanOrEqualTo(micros(result.deadlineUs()).plus(slack(micros(result.stallUs()))));
    assertThat(micros(result.recoveryUs()))
        .as("time from the end of \"%s\" to the last failed call", result.name())
        .isLessThanOrEqualTo(recovery.plus(slack(micros(result.stallUs()))));
  }

  /** What a machine may add to a deadline that stalls a sleeping thread for this long. */
  private static Duration slack(Duration stall) {
    return SLACK.plus(stall.multipliedBy(STALLS_PER_CALL));
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
