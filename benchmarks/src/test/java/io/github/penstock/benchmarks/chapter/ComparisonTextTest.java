package io.github.penstock.benchmarks.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.FindingVerdict;
import io.github.penstock.report.ReportFinding;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ComparisonTextTest {
  @Test
  @DisplayName("More decisions are ahead, fewer are behind, and 5 % are neither")
  void decisions() {
    List<ReportFinding> findings =
        ComparisonText.compare(
            "Allowed",
            ComparisonText.Measure.DECISIONS,
            List.of(
                pair("Bucket4j", "Jedis", 200, 100),
                pair("Bucket4j", "Lettuce", 100, 125),
                pair("Bucket4j", "Redisson", 104, 100),
                pair("RRateLimiter", "Redisson", 150, 100)),
            0);
    assertThat(findings)
        .containsExactly(
            new ReportFinding(
                FindingVerdict.AHEAD,
                "Allowed: Penstock makes 2.00 times (Jedis) as many decisions as Bucket4j"
                    + " and 1.50 times (Redisson) as many decisions as RRateLimiter."),
            new ReportFinding(
                FindingVerdict.BEHIND,
                "Allowed: Bucket4j makes 1.25 times (Lettuce) as many decisions as Penstock."),
            ReportFinding.note("Allowed: no difference between Penstock and Bucket4j (Redisson)."));
  }

  @Test
  @DisplayName("What lies within the spread of the rounds is no difference")
  void spread() {
    RoundRatio wide = new RoundRatio(1.3, 0.9, 1.6);
    assertThat(
            ComparisonText.compare(
                "Allowed",
                ComparisonText.Measure.DECISIONS,
                List.of(new ComparisonText.Pair("Other", "", wide)),
                0))
        .containsExactly(ReportFinding.note("Allowed: no difference between Penstock and Other."));
  }

  @Test
  @DisplayName("What lies within the spread of the whole run is no difference either")
  void spreadOfTheRun() {
    List<ComparisonText.Pair> pairs = List.of(pair("Other", "", 107, 100));
    assertThat(ComparisonText.compare("Hot", ComparisonText.Measure.DECISIONS, pairs, 0.15))
        .containsExactly(ReportFinding.note("Hot: no difference between Penstock and Other."));
    assertThat(ComparisonText.compare("Hot", ComparisonText.Measure.DECISIONS, pairs, 0.06))
        .extracting(ReportFinding::verdict)
        .containsExactly(FindingVerdict.AHEAD);
  }

  @Test
  @DisplayName("More time is behind, less is ahead")
  void time() {
    assertThat(time(4, 6))
        .containsExactly(
            new ReportFinding(
                FindingVerdict.AHEAD, "Denied: Other takes 1.50 times as long as Penstock."));
    assertThat(time(6, 4))
        .containsExactly(
            new ReportFinding(
                FindingVerdict.BEHIND, "Denied: Penstock takes 1.50 times as long as Other."));
  }

  @Test
  @DisplayName("Nothing measured, nothing said")
  void nothing() {
    assertThat(ComparisonText.compare("Allowed", ComparisonText.Measure.TIME, List.of(), 0))
        .isEmpty();
    assertThat(new ComparisonText.Goal("Ratio", 0.95, true).finding(Map.of())).isEmpty();
  }

  @Test
  @DisplayName("A goal is met, or missed by more than the rounds differ, or neither")
  void goals() {
    ComparisonText.Goal most = new ComparisonText.Goal("Ratio", 1.25, false);
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

  private static List<ReportFinding> time(double ours, double theirs) {
    return ComparisonText.compare(
        "Denied", ComparisonText.Measure.TIME, List.of(pair("Other", "", ours, theirs)), 0);
  }

  private static ComparisonText.Pair pair(String other, String place, double ours, double theirs) {
    return new ComparisonText.Pair(other, place, RoundRatio.exact(ours, theirs));
  }
}
