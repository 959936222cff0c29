package io.github.penstock.simulator.log;

import io.github.penstock.simulator.record.CostRule;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.RowFilter;
import io.github.penstock.simulator.record.SubjectRule;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A log that was read with options, each name before its value as on the command line.
 *
 * @param requests in the order of their times
 * @param count of its lines
 */
record LogRead(List<TrafficRequest> requests, LogCount count) {
  static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());

  /* Of memory: the rest of so many goes to disk. */
  static final long FEW = 100_000;

  static LogRead of(Path log, String... options) {
    try (SortedLog sorted = new SortedLog(settings(log, options), NOWHERE, FEW)) {
      return new LogRead(all(sorted), sorted.count());
    }
  }

  static List<TrafficRequest> all(SortedLog log) {
    List<TrafficRequest> requests = new ArrayList<>();
    RequestSource source = log.source();
    for (TrafficRequest next = source.next(); next != null; next = source.next()) {
      requests.add(next);
    }
    return requests;
  }

  static LogSettings settings(Path log, String... options) {
    List<String> files = new ArrayList<>(List.of(log.toString()));
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      if (options[i].equals("--log")) {
        files.add(options[i + 1]);
      } else {
        given.put(options[i], options[i + 1]);
      }
    }
    String columns = given.get("--columns");
    String pattern = given.get("--pattern");
    return new LogSettings(
        files,
        columns != null ? LogFormat.CSV : pattern != null ? LogFormat.PATTERN : null,
        new SubjectRule(given.getOrDefault("--subject", "address")),
        new CostRule(given.getOrDefault("--cost", "1")),
        given.get("--time"),
        given.get("--time-format"),
        given.containsKey("--time-zone") ? ZoneId.of(given.get("--time-zone")) : null,
        columns != null
            ? List.of(columns.split(","))
            : pattern != null ? List.of(pattern) : List.of(),
        given.containsKey("--where") ? List.of(RowFilter.of(given.get("--where"))) : List.of(),
        SubjectShare.of(given.getOrDefault("--sample", "1/1")));
  }
}
