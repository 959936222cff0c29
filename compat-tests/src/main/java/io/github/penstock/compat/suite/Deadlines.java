package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What holds for the times of every case. */
final class Deadlines {
  /** What a busy machine may add to a deadline. */
  private static final Duration SLACK = Duration.ofMillis(500);

  private static final Duration RECOVERY = Duration.ofSeconds(5);

  private Deadlines() {}

  static void check(CaseResult result) {
    assertThat(micros(result.slowestUs()))
        .as("slowest call while %s", result.name())
        .isLessThanOrEqualTo(micros(result.deadlineUs()).plus(SLACK));
    assertThat(micros(result.recoveryUs()))
        .as("time from the end of \"%s\" to the last failed call", result.name())
        .isLessThanOrEqualTo(RECOVERY);
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
