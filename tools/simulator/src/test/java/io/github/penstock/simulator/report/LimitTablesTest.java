package io.github.penstock.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.report.console.TerminalWidth;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitTablesTest {
  private static final TrafficRequest REQUEST =
      new TrafficRequest(TrafficScenario.BEGIN_US, "s", 1);
  private static final LeaseSettings LEASES =
      new LeaseSettings(4, LeaseSettings.terms("100,500ms"));

  @AfterEach
  void widthOfThisTerminal() {
    System.clearProperty(TerminalWidth.PROPERTY);
  }

  @Test
  void aWideTerminalHasEveryColumn() {
    System.setProperty(TerminalWidth.PROPERTY, "120");
    List<String> lines = LimitTables.leasing(played(), true).lines();
    assertThat(cells(lines.get(1)))
        .isEqualTo("limit admits denied more asked bered leased of one subject pass unused admits");
    assertThat(cells(lines.get(2)))
        .isEqualTo("token-bucket 3 1 1 50 % 25 % 25 % 2 in 10 s 205 0 3");
    assertThat(cells(lines.get(3)))
        .isEqualTo("leaky-bucket 3 - - 50 % 25 % - asks each time - - 3");
  }

  @Test
  void aNarrowTerminalHasTheColumnsThatMatter() {
    System.setProperty(TerminalWidth.PROPERTY, "72");
    List<String> lines = LimitTables.leasing(played(), true).lines();
    assertThat(lines).allMatch(line -> line.length() <= 72);
    assertThat(cells(lines.get(1))).isEqualTo("limit denied more asked leased of one subject pass");
  }

  @Test
  void theMostThatPassedIsAPartOfTheLimit() {
    LimitCandidate candidate = LimitCandidate.of("fixed-window:100/10s");
    ReplayStats stats = stats(candidate, 3, 1);
    stats.passed(0, 198, TrafficScenario.BEGIN_US, "s", true);
    LimitResult result = new LimitResult(candidate, stats, null);
    List<ReplayResult> played =
        List.of(new ReplayResult("t", "d", null, SubjectSample.ALL, List.of(result)));
    assertThat(cells(LimitTables.scenarios(played).lines().get(1))).endsWith("25 %");
    assertThat(cells(LimitTables.mostPassed(played).lines().get(1))).endsWith("198 %");
  }

  private static String cells(String line) {
    return line.strip().replaceAll(" +", " ");
  }

  private static ReplayResult played() {
    return new ReplayResult(
        "t",
        "d",
        null,
        SubjectSample.ALL,
        List.of(result("token-bucket", true), result("leaky-bucket", false)));
  }

  private static LimitResult result(String algorithm, boolean leases) {
    LimitCandidate candidate = LimitCandidate.of(algorithm + ":100/10s");
    ReplayStats asking = stats(candidate, 3, 1);
    LeaseStats leasing = new LeaseStats(LEASES, leases, stats(candidate, 3, 1), List.of());
    leasing.count(REQUEST, told(true, DecisionSource.SERVER), true);
    leasing.count(REQUEST, told(false, DecisionSource.SERVER), true);
    leasing.count(REQUEST, told(true, DecisionSource.LEASED), false);
    leasing.count(REQUEST, told(false, DecisionSource.REMEMBERED), false);
    leasing.stats().passed(0, 2, TrafficScenario.BEGIN_US, "s", true);
    return new LimitResult(candidate, asking, leasing);
  }

  private static ReplayStats stats(LimitCandidate candidate, int admitted, int denied) {
    ReplayStats stats = new ReplayStats(candidate);
    for (int i = 0; i < admitted; i++) {
      stats.admitted(REQUEST, 0);
    }
    for (int i = 0; i < denied; i++) {
      stats.denied(REQUEST, 5);
    }
    return stats;
  }

  private static Decision told(boolean allowed, DecisionSource source) {
    return new Decision(allowed, 100, 0, allowed ? 0 : 5, 5, 1, source);
  }
}
