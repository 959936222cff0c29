package io.github.penstock.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.report.ReportFinding;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitCautionsTest {
  @Test
  void whatCanNeverPassIsSaidWithItsRemedy() {
    LimitCandidate candidate = LimitCandidate.of("leaky-bucket:5/1m");
    ReplayStats stats = new ReplayStats(candidate);
    stats.denied(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 9), -1);
    stats.denied(new TrafficRequest(TrafficScenario.BEGIN_US, "me", 8), -1);
    assertThat(cautions(new LimitResult(candidate, stats, null)))
        .contains(
            "leaky-bucket:5/1m can never admit 2 requests (100 %): each costs more than that ever"
                + " allows, however long the caller waits. Raise the burst, or lower the cost.");
  }

  @Test
  void aLogThatIsShorterThanAPeriodSaysSo() {
    assertThat(
            cautions(
                limit("fixed-window:1000/1d", 10, 1),
                limit("fixed-window:1/1ms", 10, 1),
                limit("fixed-window:5/1h", 10, 1),
                limit("token-bucket:5/1h", 10, 1),
                limit("token-bucket:3600000/1h,burst=9", 10, 1)))
        .containsExactly(
            "The log covers 9.99 ms, less than the period of fixed-window:5/1h, token-bucket:5/1h:"
                + " it does not show what a whole 1 h would be.",
            "The log covers 9.99 ms, less than the period of fixed-window:1000/1d: it does not show"
                + " what a whole 1 d would be.");
  }

  /* 1,000 requests 10 µs apart are admitted or denied, and some of subjects that are denied. */
  private static LimitResult limit(String text, int denied, int hurt) {
    LimitCandidate candidate = LimitCandidate.of(text);
    ReplayStats stats = new ReplayStats(candidate);
    for (int i = 0; i < 1_000; i++) {
      String subject = i < denied ? "hurt-" + i % hurt : "other-" + i % 10;
      TrafficRequest request = new TrafficRequest(TrafficScenario.BEGIN_US + 10 * i, subject, 1);
      if (i < denied) {
        stats.denied(request, 1_000);
      } else {
        stats.admitted(request, 0);
      }
    }
    stats.passed(0, 77, TrafficScenario.BEGIN_US, "other-1", true);
    return new LimitResult(candidate, stats, null);
  }

  private static List<String> cautions(LimitResult... results) {
    return LimitCautions.of(result(results)).stream().map(ReportFinding::sentence).toList();
  }

  private static ReplayResult result(LimitResult... results) {
    return new ReplayResult("traffic", "", ZoneOffset.UTC, SubjectSample.ALL, List.of(results));
  }
}
