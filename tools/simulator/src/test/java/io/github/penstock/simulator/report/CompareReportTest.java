package io.github.penstock.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompareReportTest {
  @Test
  void whoDecidedIsSaidAndThatNobodyCheckedIsNoAgreement() {
    assertThat(CompareReport.decisions(9, 9))
        .isEqualTo("9 decisions, all equal to the exact model.");
    assertThat(CompareReport.decisions(9, 2)).endsWith("the scripts made 2, too, all equal to it.");
    assertThat(CompareReport.decisions(9, 0)).endsWith("none of them: choose a larger --check.");
  }
}
