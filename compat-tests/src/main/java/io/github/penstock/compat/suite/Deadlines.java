package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What holds for the times of every case. */
final class Deadlines {
  /** Threads and processes that hand a call on, from the caller to the server and back. */
  private static final int STALLS_PER_CALL = 6;

  private static final Duration SLACK = Duration.ofMillis(500);

  private static final Duration RECOVERY = Duration.ofSeconds(5);

  private Deadlines() {}

  static void check(CaseResult result) {
    assertThat(micros(result.slowestUs()))
        .as("slowest call while %s, stalls of %d us", result.name(), result.stallUs())
        .isLessThanOrEqualTo(micros(result.deadlineUs()).plus(slack(micros(result.stallUs()))));
    assertThat(micros(result.recoveryUs()))
        .as("time from the end of \"%s\" to the last failed call", result.name())
        .isLessThanOrEqualTo(RECOVERY);
  }

  /** What a machine may add to a deadline that stalls a sleeping thread for this long. */
  static Duration slack(Duration stall) {
    return SLACK.plus(stall.multipliedBy(STALLS_PER_CALL));
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
