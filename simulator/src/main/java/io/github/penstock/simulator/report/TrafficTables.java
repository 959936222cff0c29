package io.github.penstock.simulator.report;

import io.github.penstock.report.DataTable;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.FairnessStats;
import io.github.penstock.simulator.stats.FairnessStats.Share;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.WaitHistogram;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The tables of one traffic: what passed, the waits, who was denied. */
final class TrafficTables {
  private static final int MOST_DENIED = 10;
  private final DataTable passed;
  private final DataTable waits;
  private final DataTable fairness;
  private final DataTable mostDenied;
  private final ZoneId zone;
  private final boolean costs;

  TrafficTables(ReplayResult played) {
    zone = played.zone() == null ? ZoneId.of("UTC") : played.zone();
    costs = played.results().get(0).stats().hasCosts();
    passed =
        table(
            played,
            "what passed",
            1,
            "limit|asked|admitted|denied|denied, %"
                + (costs
                    ? "|units asked|units admitted|length|units per length|in any length at most units"
                    : "|length|limit per length|in any length at most")
                + " of one subject|when ("
                + zone
                + ")");
    waits = table(played, "waits", 2, "limit|who|how many|median|90 %|99 %|longest");
    fairness =
        table(played, "fairness", 1, "limit|subjects|ever denied|ever denied, %|Jain's index")
            .note(
                "Jain's index (Jain, Chiu, Hawe, DEC-TR-301, 1984) of the parts of their requests"
                    + " that subjects got admitted: 1 if everybody got the same part.");
    mostDenied = table(played, "most denied", 2, "limit|subject|requests|denied|denied, %");
    boolean several = played.results().stream().anyMatch(r -> r.stats().shares().subjects() > 1);
    for (LimitResult result : played.results()) {
      String limit = result.candidate().name();
      ReplayStats stats = result.stats();
      stats.peaks().forEach(peak -> passed(limit, stats, peak));
      waits(limit, "denied, until the same call passes", stats.waits());
      if (stats.delays().longest() > 0) {
        waits(limit, "admitted, until its turn", stats.delays());
      }
      if (several) {
        shares(limit, stats.shares());
      }
    }
  }

  ReportChapter addTo(ReportChapter chapter) {
    return chapter.add(passed).add(waits).add(fairness).add(mostDenied);
  }

  private static DataTable table(ReplayResult played, String of, int textColumns, String header) {
    return new DataTable(played.title() + ": " + of, textColumns, header.split("\\|"));
  }

  private void passed(String limit, ReplayStats stats, PeakUsage peak) {
    List<String> cells =
        new ArrayList<>(
            List.of(
                limit,
                NumberText.count(stats.asked()),
                NumberText.count(stats.admitted()),
                NumberText.count(stats.denied()),
                NumberText.percent(stats.denied(), stats.asked())));
    if (costs) {
      cells.add(NumberText.count(stats.unitsAsked()));
      cells.add(NumberText.count(stats.unitsPassed()));
    }
    cells.add(NumberText.exactTime(peak.tier().periodMicros()));
    cells.add(NumberText.count(peak.tier().units()));
    cells.add((peak.exact() ? "" : "≤ ") + NumberText.count(peak.most()));
    cells.add(stats.admitted() == 0 ? "" : LogText.time(peak.endUs(), zone));
    passed.row(cells);
  }

  private void waits(String limit, String who, WaitHistogram told) {
    if (told.count() > 0) {
      waits.row(
          limit,
          who,
          NumberText.count(told.count()),
          NumberText.time(told.percentile(50)),
          NumberText.time(told.percentile(90)),
          NumberText.time(told.percentile(99)),
          NumberText.time(told.longest()));
    }
  }

  private void shares(String limit, FairnessStats shares) {
    fairness.row(
        limit,
        NumberText.count(shares.subjects()),
        NumberText.count(shares.everDenied()),
        NumberText.percent(shares.everDenied(), shares.subjects()),
        NumberText.of(shares.jainsIndex(), "0.0000"));
    for (Share share : shares.mostDenied(MOST_DENIED)) {
      mostDenied.row(
          limit,
          SafeText.terminal(share.subject()),
          NumberText.count(share.asked()),
          NumberText.count(share.denied()),
          NumberText.percent(share.denied(), share.asked()));
    }
  }
}
