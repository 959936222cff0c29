package io.github.penstock.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.report.ReportFinding;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitRankingTest {
  @Test
  void aLimitThatIsKeptStandsBeforeOneThatDeniesLess() {
    LimitRanking ranking =
        ranking(
            limit("fixed-window:100/1m", 0, 1, 0, 199),
            limit("token-bucket:100/1m,burst=20", 100, 1, 500_000, 119));
    assertThat(names(ranking))
        .containsExactly("token-bucket:100/1m,burst=20", "fixed-window:100/1m");
    assertThat(ranking.advice().get(0))
        .isEqualTo(
            "Write down token-bucket:100/1m,burst=20. It denies 10 % of the requests, from 1 of"
                + " 11 subjects, and 99 % of the denied must wait no longer than 500 ms. It passed at"
                + " most 119 requests of one subject in any minute, and can pass 120: the 20 that it holds and the 100 that it gains.");
  }

  @Test
  void adviceSaysHowMuchPassedAndHowMuchCan() {
    assertThat(ranking(limit("fixed-window:100/1m", 1, 1, 0, 199)).advice().get(0))
        .endsWith(
            "at most 199 requests of one subject in any minute, and can pass 200: 100 at the end"
                + " of a window"
                + " and 100 in the next.");
    assertThat(ranking(limit("sliding-window:100/1m", 1, 1, 0, 150)).advice().get(0))
        .endsWith("and can pass 200: 100, and what fades of the older window.");
    assertThat(ranking(limit("token-bucket:100/1m", 1, 1, 0, 120)).advice().get(0))
        .endsWith("and can pass 200: the 100 that it holds and the 100 that it gains.");
    assertThat(ranking(limit("token-bucket:100/1m", 1, 1, 0, 121)).advice().get(0))
        .endsWith("that it gains. With a smaller burst it passes less.");
    assertThat(ranking(limit("interval-bucket:100/1m,burst=50", 1, 1, 0, 99)).advice().get(0))
        .endsWith("and can pass 150: the 50 that it holds and the next 100.");
    assertThat(ranking(limit("leaky-bucket:100/1m,burst=50", 1, 1, 0, 99)).advice().get(0))
        .endsWith("and can pass 100.");
  }

  @Test
  void adviceSaysWhyNotALimitThatDeniesLess() {
    LimitResult kept = limit("token-bucket:100/1m,burst=20", 100, 2, 500_000, 119);
    assertThat(ranking(kept, limit("fixed-window:200/1m", 100, 2, 0, 399)).advice()).hasSize(1);
    assertThat(
            ranking(kept, limit("fixed-window:100/1m", 10, 1, 0, 199), late("leaky-bucket:100/1m"))
                .advice())
        .hasSize(3)
        .endsWith(
            "fixed-window:100/1m denies less, but passed 199 requests of one subject in 1 min.",
            "leaky-bucket:100/1m denies less, but makes callers that it admits wait up to 56 s.");
  }

  @Test
  void aLimitThatPutsOffWhatItAdmitsStandsBehindThoseThatDoNot() {
    LimitResult late = late("leaky-bucket:100/1m");
    LimitResult more = limit("fixed-window:100/1m", 100, 5, 0, 199);
    assertThat(ranking(late, more).order()).containsExactly(more, late);
  }

  @Test
  void unitsAreSaidWhereRequestsCostMore() {
    LimitCandidate candidate = LimitCandidate.of("fixed-window:40/1m");
    ReplayStats stats = new ReplayStats(candidate);
    stats.admitted(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 39), 0);
    stats.passed(0, 39, TrafficScenario.BEGIN_US, "me", true);
    stats.denied(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 2), 5);
    assertThat(ranking(new LimitResult(candidate, stats, null)).advice().get(0))
        .startsWith("None of these limits fits. The best is fixed-window:40/1m. It denies 50 %")
        .contains("at most 39 units of one subject in any minute");
  }

  @Test
  void fewerSubjectsThenFewerRequestsThenShorterWaitsStandFirst() {
    LimitResult many = limit("fixed-window:1/1m", 20, 5, 1_000, 1);
    LimitResult more = limit("fixed-window:2/1m", 200, 1, 1_000, 2);
    LimitResult slow = limit("fixed-window:3/1m", 104, 1, 9_000_000, 3);
    LimitResult fast = limit("fixed-window:4/1m", 101, 1, 1_000, 4);
    assertThat(ranking(many, more, slow, fast).order()).containsExactly(fast, slow, more, many);
    assertThat(ranking(slow, fast, many, more).order()).containsExactly(fast, slow, more, many);
    assertThat(ranking(slow, fast).firsts()).containsExactly("fixed-window:4/1m");
    assertThat(ranking(fast, limit("token-bucket:4/1m", 101, 1, 1_000, 4), slow).firsts())
        .containsExactly("fixed-window:4/1m", "token-bucket:4/1m");
  }

  @Test
  void whereNothingIsDeniedNothingIsClaimed() {
    assertThat(ranking(limit("fixed-window:9/1m", 0, 0, 0, 9)).advice().get(0))
        .startsWith("None of the limits denied anything");
  }

  @Test
  void whatCanNeverPassIsSaidWithItsRemedy() {
    LimitCandidate candidate = LimitCandidate.of("leaky-bucket:5/1m");
    ReplayStats stats = new ReplayStats(candidate);
    stats.denied(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 9), -1);
    stats.denied(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 8), -1);
    assertThat(ranking(new LimitResult(candidate, stats, null)).never())
        .extracting(ReportFinding::sentence)
        .containsExactly(
            "leaky-bucket:5/1m can never admit 2 of these requests: each costs more than it holds."
                + " Raise its burst, or lower the cost.");
  }

  /* 1,000 requests of others are admitted or denied, and some of subjects that are denied. */
  private static LimitResult limit(String text, int denied, int hurt, long waitUs, long most) {
    LimitCandidate candidate = LimitCandidate.of(text);
    ReplayStats stats = new ReplayStats(candidate);
    for (int i = 0; i < 1_000; i++) {
      boolean isDenied = i < denied;
      String subject = isDenied ? "hurt-" + i % hurt : "other-" + i % 10;
      TrafficRequest request = new TrafficRequest(TrafficScenario.BEGIN_US + i, subject, 1);
      if (isDenied) {
        stats.denied(request, waitUs);
      } else {
        stats.admitted(request, 0);
      }
    }
    stats.passed(0, most, TrafficScenario.BEGIN_US, "other-1", true);
    return new LimitResult(candidate, stats, null);
  }

  private static LimitResult late(String text) {
    LimitCandidate candidate = LimitCandidate.of(text);
    ReplayStats stats = new ReplayStats(candidate);
    stats.admitted(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 1), 56_000_000);
    return new LimitResult(candidate, stats, null);
  }

  private static LimitRanking ranking(LimitResult... results) {
    return new LimitRanking(new ReplayResult("traffic", "", null, List.of(results)));
  }

  private static List<String> names(LimitRanking ranking) {
    return ranking.order().stream().map(each -> each.candidate().name()).toList();
  }
}
