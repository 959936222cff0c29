package io.github.penstock.simulator.report;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.report.DataTable;
import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.stats.PeakUsage;
import java.util.ArrayList;
import java.util.List;

/** The tables about processes that lease, beside one limiter that asks each time. */
final class LeaseText {
  /** The words in the row of a limit that has no leases (rule L7). */
  static final String ASKS = "asks each time";

  private static final String NONE = "-";
  private static final List<List<String>> HEADER =
      List.of(
          List.of(
              "", "leasing", "wrongly", "admits", "", "remem-", "", "most", "it can", "units",
              "asking"),
          List.of(
              "limit",
              "admits",
              "denied",
              "more",
              "asked",
              "bered",
              "leased",
              "of one subject",
              "pass",
              "unused",
              "admits"));
  /* Columns that a narrow terminal can do without. */
  private static final Integer[] OPTIONAL = {10, 5, 1, 9, 8};

  private LeaseText() {}

  /** A line for each limit, under these names. */
  static List<String> lines(ReplayResult played, List<String> names) {
    TextTable table = new TextTable(1).optional(OPTIONAL);
    HEADER.forEach(table::row);
    for (int i = 0; i < names.size(); i++) {
      LeaseStats leasing = played.results().get(i).leasing();
      if (leasing != null) {
        table.row(cells(played.results().get(i), leasing, names.get(i)));
      }
    }
    return table.lines();
  }

  /** The same for a page, by the limits' whole names. */
  static DataTable table(ReplayResult played) {
    DataTable table =
        new DataTable(
                played.title() + ": processes that lease",
                1,
                "limit",
                "admitted by processes that lease",
                "denied, though asking admits",
                "admitted, though asking denies",
                "asked the server",
                "answered by a remembered denial",
                "handed leased units",
                "most " + played.units() + " of one subject",
                "it can pass",
                "units leased and never used",
                "admitted by asking each time")
            .note(
                "Limits of several tiers, leaky buckets and interval buckets have no leases: every"
                    + " call asks that is not a remembered denial.");
    for (LimitResult each : played.results()) {
      if (each.leasing() != null) {
        table.row(cells(each, each.leasing(), each.candidate().name()));
      }
    }
    return table;
  }

  private static List<String> cells(LimitResult result, LeaseStats leasing, String name) {
    boolean leases = leasing.leases();
    PeakUsage peak = leasing.stats().peaks().get(0);
    List<String> cells = new ArrayList<>();
    cells.add(name);
    cells.add(NumberText.count(leasing.stats().admitted()));
    cells.add(leases ? NumberText.count(leasing.deniedWrongly()) : NONE);
    cells.add(leases ? NumberText.count(leasing.admittedMore()) : NONE);
    cells.add(percent(leasing, DecisionSource.SERVER));
    cells.add(percent(leasing, DecisionSource.REMEMBERED));
    cells.add(leases ? percent(leasing, DecisionSource.LEASED) : NONE);
    cells.add(
        leases
            ? (peak.exact() ? "" : "up to ")
                + NumberText.count(peak.most())
                + " in "
                + NumberText.exactTime(peak.tier().periodMicros())
            : ASKS);
    cells.add(leases ? NumberText.count(result.atMostLeasing(leasing, peak)) : NONE);
    cells.add(leases ? NumberText.count(leasing.unitsUnused()) : NONE);
    cells.add(NumberText.count(result.stats().admitted()));
    return cells;
  }

  private static String percent(LeaseStats leasing, DecisionSource source) {
    return NumberText.percent(leasing.requests(source), leasing.stats().asked());
  }
}
