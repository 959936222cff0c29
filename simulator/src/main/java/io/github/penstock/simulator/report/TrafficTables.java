package io.github.penstock.simulator.report;

import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.FigureKind.PartOf;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.report.LimitTables.TierRow;
import io.github.penstock.simulator.stats.FairnessStats.Share;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.WaitHistogram;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The tables of one traffic: what passed, the waits, who was denied. */
final class TrafficTables {
  static final int MOST_DENIED = 10;

  private TrafficTables() {}

  /** All that have rows. */
  static List<ResultTable<?>> of(ReplayResult played) {
    boolean several = played.results().stream().anyMatch(r -> r.stats().shares().subjects() > 1);
    List<ResultTable<?>> tables = new ArrayList<>(List.of(passed(played), waits(played)));
    if (several) {
      tables.add(fairness(played));
      tables.add(mostDenied(played));
    }
    return tables;
  }

  private static ResultTable<TierRow> passed(ReplayResult played) {
    ZoneId zone = played.zone() == null ? ZoneId.of("UTC") : played.zone();
    ResultTable<TierRow> table =
        new ResultTable<TierRow>(played.title() + ": what passed", TierRow.of(played))
            .words("limit", row -> row.result().candidate().name())
            .figure("asked", FigureKind.COUNT, row -> row.stats().asked())
            .figure("admitted", FigureKind.COUNT, row -> row.stats().admitted())
            .figure("denied", FigureKind.COUNT, row -> row.stats().denied())
            .figure(
                "denied, %",
                FigureKind.PERCENT, row -> new PartOf(row.stats().denied(), row.stats().asked()));
    boolean costs = played.results().get(0).stats().hasCosts();
    if (costs) {
      table
          .figure("units asked", FigureKind.COUNT, row -> row.stats().unitsAsked())
          .figure("units admitted", FigureKind.COUNT, row -> row.stats().unitsPassed());
    }
    return table
        .figure("length", FigureKind.PERIOD, row -> row.peak().tier().periodMicros())
        .figure(
            costs ? "units per length" : "limit per length",
            FigureKind.COUNT,
            row -> row.peak().tier().units())
        .figure(
            "in any length at most" + (costs ? " units" : "") + " of one subject",
            FigureKind.WRITTEN,
            row -> (row.peak().exact() ? "" : "≤ ") + NumberText.count(row.peak().most()))
        .figure(
            "when (" + zone + ")",
            FigureKind.WRITTEN,
            row -> row.stats().admitted() == 0 ? "" : LogText.time(row.peak().endUs(), zone));
  }

  private record WaitRow(LimitResult result, String who, WaitHistogram told) {}

  private static ResultTable<WaitRow> waits(ReplayResult played) {
    List<WaitRow> rows = new ArrayList<>();
    for (LimitResult each : played.results()) {
      ReplayStats stats = each.stats();
      if (stats.waits().count() > 0) {
        rows.add(new WaitRow(each, "denied, until the same call passes", stats.waits()));
      }
      if (stats.delays().longest() > 0) {
        rows.add(new WaitRow(each, "admitted, until its turn", stats.delays()));
      }
    }
    return new ResultTable<WaitRow>(played.title() + ": waits", rows)
        .words("limit", row -> row.result.candidate().name())
        .words("who", WaitRow::who)
        .figure("how many", FigureKind.COUNT, row -> row.told.count())
        .figure("median", FigureKind.TIME, row -> row.told.percentile(50))
        .figure("90 %", FigureKind.TIME, row -> row.told.percentile(90))
        .figure("99 %", FigureKind.TIME, row -> row.told.percentile(99))
        .figure("longest", FigureKind.TIME, row -> row.told.longest());
  }

  private static ResultTable<LimitResult> fairness(ReplayResult played) {
    return new ResultTable<LimitResult>(played.title() + ": fairness", played.results())
        .words("limit", each -> each.candidate().name())
        .figure("subjects", FigureKind.COUNT, each -> each.stats().shares().subjects())
        .figure("ever denied", FigureKind.COUNT, each -> each.stats().shares().everDenied())
        .figure(
            "ever denied, %",
            FigureKind.PERCENT,
            each ->
                new PartOf(each.stats().shares().everDenied(), each.stats().shares().subjects()))
        .figure(
            "Jain's index",
            FigureKind.WRITTEN,
            each -> NumberText.of(each.stats().shares().jainsIndex(), "0.0000"))
        .note(
            "Jain's index (Jain, Chiu, Hawe, DEC-TR-301, 1984) of the parts of their requests"
                + " that subjects got admitted: 1 if everybody got the same part.");
  }

  private record ShareRow(LimitResult result, Share share) {}

  private static ResultTable<ShareRow> mostDenied(ReplayResult played) {
    List<ShareRow> rows = new ArrayList<>();
    for (LimitResult each : played.results()) {
      each.stats()
          .shares()
          .mostDenied(MOST_DENIED)
          .forEach(share -> rows.add(new ShareRow(each, share)));
    }
    return new ResultTable<ShareRow>(played.title() + ": most denied", rows)
        .words("limit", row -> row.result.candidate().name())
        .words("subject", row -> SafeText.terminal(row.share.subject()))
        .figure("requests", FigureKind.COUNT, row -> row.share.asked())
        .figure("denied", FigureKind.COUNT, row -> row.share.denied())
        .figure(
            "denied, %",
            FigureKind.PERCENT, row -> new PartOf(row.share.denied(), row.share.asked()));
  }
}
