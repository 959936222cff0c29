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
import java.util.stream.Collectors;

/** Each limit over all of the built-in traffic. */
final class ScenarioTable {
  private ScenarioTable() {}

  static DataTable of(List<ReplayResult> played) {
    DataTable table =
        new DataTable(
            "Each limit over all traffic",
            1,
            "limit",
            "denied",
            "subjects denied",
            "most of one subject, times the limit",
            "told to wait (99 %), at most",
            "first in",
            "requests denied",
            "admitted, but put off (99 %), at most");
    Map<String, Long> firsts = firsts(played);
    byLimit(played)
        .forEach(
            (limit, all) -> {
              long asked = all.stream().mapToLong(ReplayStats::asked).sum();
              long denied = all.stream().mapToLong(ReplayStats::denied).sum();
              table.row(
                  limit,
                  NumberText.percent(denied, asked),
                  NumberText.count(all.stream().mapToLong(s -> s.shares().everDenied()).sum()),
                  NumberText.hundredths(
                      all.stream().mapToDouble(s -> s.worstPeak().timesLimit()).max().orElse(0)),
                  longest(all.stream().map(ReplayStats::longWaitUs).toList()),
                  firsts.getOrDefault(limit, 0L) + " of " + played.size(),
                  NumberText.count(denied),
                  longest(all.stream().map(ReplayStats::longDelayUs).toList()));
            });
    return table;
  }

  private static String longest(List<Long> waitsUs) {
    long us = Collections.max(waitsUs);
    return us > 0 ? NumberText.time(us) : "-";
  }

  static String advice(List<ReplayResult> played) {
    Map<String, Long> firsts = firsts(played);
    if (firsts.isEmpty()) {
      return "Play your own access log. None of the limits denied anything of the built-in traffic.";
    }
    long most = Collections.max(firsts.values());
    List<String> best =
        firsts.keySet().stream().filter(limit -> firsts.getOrDefault(limit, 0L) == most).toList();
    return "Play your own access log. On built-in traffic %s most often, in %d of %d."
        .formatted(
            best.size() == 1
                ? best.get(0) + " comes first"
                : String.join(" and ", best) + " come first",
            most,
            played.size());
  }

  private static Map<String, List<ReplayStats>> byLimit(List<ReplayResult> played) {
    Map<String, List<ReplayStats>> all = new TreeMap<>();
    for (ReplayResult each : played) {
      for (LimitResult result : each.results()) {
        all.computeIfAbsent(each.label(result), key -> new ArrayList<>()).add(result.stats());
      }
    }
    return all;
  }

  private static Map<String, Long> firsts(List<ReplayResult> played) {
    return played.stream()
        .map(LimitRanking::new)
        .filter(LimitRanking::isDecided)
        .flatMap(ranking -> ranking.firsts().stream())
        .collect(Collectors.groupingBy(first -> first, TreeMap::new, Collectors.counting()));
  }
}
