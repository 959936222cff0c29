package io.github.penstock.benchmarks.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportFinding;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BenchmarkGoalTest {
  @Test
  @DisplayName("A goal is met, or missed by more than the rounds differ, or neither")
  void goals() {
    BenchmarkGoal most = new BenchmarkGoal("Ratio", 1.25, false);
    assertThat(most.finding(Map.of())).isEmpty();
    assertThat(most.finding(Map.of("", new RoundRatio(1.2, 1.1, 1.4))))
        .contains(new ReportFinding(FindingVerdict.MET, "Ratio: 1.20 (goal: at most 1.25)."));
    assertThat(most.finding(Map.of("", new RoundRatio(1.4, 1.3, 1.5))))
        .contains(new ReportFinding(FindingVerdict.MISSED, "Ratio: 1.40 (goal: at most 1.25)."));
    assertThat(most.finding(Map.of("", new RoundRatio(1.4, 1.2, 1.5))))
        .contains(
            ReportFinding.note(
                "Ratio: 1.40 (goal: at most 1.25; the rounds differ by more than what is"
                    + " missing)."));
  }
}
