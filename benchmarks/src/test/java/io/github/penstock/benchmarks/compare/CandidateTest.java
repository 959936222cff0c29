package io.github.penstock.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CandidateTest {
  @Test
  void eachLimitSaysWhatItDoes() {
    assertThat(Candidate.of("token-bucket:100/1m,burst=20").meaning())
        .isEqualTo("Holds 20, gains 100 per minute.");
    assertThat(Candidate.of("fixed-window:10/1s+1000/1h").meaning())
        .isEqualTo("Admits 10 in each window of 1 s; and it admits 1,000 in each window of 1 h.");
    assertThat(Candidate.of("leaky-bucket:5/10s").meaning())
        .isEqualTo("Queues up to 5, sends on 5 per 10 s at an even pace.");
  }

  @Test
  void oneOfAThingHasNoPlural() {
    assertThat(Say.count(1, "request")).isEqualTo("1 request");
    assertThat(Say.count(0, "request")).isEqualTo("0 requests");
    assertThat(Say.count(1_234, "request")).isEqualTo("1,234 requests");
  }
}
