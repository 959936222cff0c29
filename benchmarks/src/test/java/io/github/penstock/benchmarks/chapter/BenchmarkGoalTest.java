package io.github.penstock.benchmarks.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.result.RoundRatio;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BenchmarkGoalTest {
  @Test
  @DisplayName("A goal is met, or missed by more than the rounds differ, or open")
  void goals() {
    assertThat(verdict(new RoundRatio(1.2, 1.1, 1.4))).isEqualTo("met");
    assertThat(verdict(new RoundRatio(1.4, 1.3, 1.5))).isEqualTo("missed");
    assertThat(verdict(new RoundRatio(1.4, 1.2, 1.5))).isEqualTo("open");
    assertThat(new BenchmarkGoal("a", "", 1, true, new RoundRatio(0.9, 0.8, 1.1)).verdict())
        .isEqualTo("open");
  }

  private static String verdict(RoundRatio figure) {
    return new BenchmarkGoal("a", "", 1.25, false, figure).verdict();
  }
}
