package io.github.penstock.simulator.report;

import io.github.penstock.report.DataTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The requests that each limit denied of each piece of built-in traffic, which are unlike. */
final class ScenarioTable {
  private ScenarioTable() {}

  static DataTable of(List<ReplayResult> played) {
    Map<String, List<String>> rows = new TreeMap<>();
    for (int i = 0; i < played.size(); i++) {
      for (LimitResult result : played.get(i).results()) {
        ReplayStats stats = result.stats();
        rows.computeIfAbsent(
                played.get(i).label(result),
                limit -> new ArrayList<>(Collections.nCopies(played.size(), "-")))
            .set(i, NumberText.percent(stats.denied(), stats.asked()));
      }
    }
    List<String> header = new ArrayList<>(List.of("denied, by traffic"));
    played.forEach(each -> header.add(each.title()));
    DataTable table =
        new DataTable("Each limit under each traffic", 1, header.toArray(String[]::new));
    rows.forEach(
        (limit, cells) -> {
          cells.add(0, limit);
          table.row(cells);
        });
    return table;
  }
}
