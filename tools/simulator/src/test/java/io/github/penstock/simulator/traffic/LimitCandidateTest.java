package io.github.penstock.simulator.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitCandidateTest {
  @Test
  void itsRateIsWhatItAllowsInTheLongRun() {
    assertThat(LimitCandidate.of("token-bucket:5/10s,burst=9+1_000/h").rate())
        .isEqualTo("5 per 10 s and 1,000 per hour");
  }

  @Test
  void eachLimitSaysWhatItDoes() {
    assertThat(LimitCandidate.of("token-bucket:100/1m,burst=20").meaning())
        .isEqualTo("Holds 20, gains 100 per minute.");
    assertThat(LimitCandidate.of("fixed-window:10/1s+1000/1h").meaning())
        .isEqualTo("Admits 10 in each window of 1 s; and it admits 1,000 in each window of 1 h.");
    assertThat(LimitCandidate.of("sliding-window:10/1s").meaning())
        .isEqualTo("Admits 10 in a window of 1 s that slides along.");
    assertThat(LimitCandidate.of("interval-bucket:100/1m,burst=20").meaning())
        .isEqualTo("Holds 20, gains 100 at once every minute.");
    assertThat(LimitCandidate.of("leaky-bucket:5/10s").meaning())
        .isEqualTo("Queues up to 5, sends on 5 per 10 s at an even pace.");
  }
}
