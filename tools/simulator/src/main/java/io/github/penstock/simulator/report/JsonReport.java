package io.github.penstock.simulator.report;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.simulator.log.LogCount;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.FairnessStats;
import io.github.penstock.simulator.stats.FairnessStats.Share;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import io.github.penstock.simulator.stats.WaitHistogram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The figures as maps and lists, for the JSON file. Times are in microseconds. */
final class JsonReport {
  private static final Map<String, Double> PERCENTILES =
      new TreeMap<>(Map.of("p50", 50.0, "p90", 90.0, "p99", 99.0, "p99.9", 99.9));

  /* As many as two runs are compared by. */
  private static final int LISTED = 1_000;

  private JsonReport() {}

  public static Map<String, Object> of(ReplayResult played) {
    return fields(
        "traffic", played.title(),
        "description", played.description(),
        "sample", played.sample().share().toString(),
        "limits", played.results().stream().map(JsonReport::of).toList());
  }

  public static Map<String, Object> of(LogCount count) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("formats", count.formats());
    for (LogCount.Kind kind : LogCount.Kind.values()) {
      all.put(kind.name().toLowerCase(Locale.ROOT), count.of(kind));
    }
    all.put(
        "first_complaints",
        Stream.concat(count.complaints().stream(), count.cutShort().stream()).toList());
    all.put("whole_seconds", count.wholeSeconds());
    return all;
  }

  private static Map<String, Object> of(LimitResult result) {
    ReplayStats stats = result.stats();
    return fields(
        "limit", result.candidate().name(),
        "script", result.candidate().algorithm(),
        "arguments", LimitEncoding.of(result.candidate().limit()).arguments(),
        "asked", stats.asked(),
        "admitted", stats.admitted(),
        "denied", stats.denied(),
        "denied_for_ever", stats.never(),
        "put_off_beyond_deadline", stats.late(),
        "deadline_us", stats.deadlineUs(),
        "came_again_within_a_second", stats.again(),
        "units_asked", stats.unitsAsked(),
        "units_admitted", stats.unitsPassed(),
        "first_us", stats.firstUs(),
        "last_us", stats.lastUs(),
        "most_in_any_length", stats.peaks().stream().map(JsonReport::of).toList(),
        "told_to_wait_us", of(stats.waits()),
        "admitted_told_to_wait_us", of(stats.delays()),
        "subjects", of(stats),
        "over_time", of(stats.series()),
        "leasing", result.leasing() == null ? null : LimitTables.json(result, result.leasing()));
  }

  static Map<String, Object> of(PeakUsage peak) {
    return fields(
        "length_us", peak.tier().periodMicros(),
        "limit_units", peak.tier().units(),
        "burst_units", peak.tier().capacity(),
        "most_units", peak.most(),
        "exact", peak.exact(),
        "subject", peak.subject(),
        "end_us", peak.endUs());
  }

  private static Map<String, Object> of(WaitHistogram waits) {
    Map<String, Object> all = new LinkedHashMap<>(Map.of("count", waits.count()));
    if (waits.count() > 0) {
      PERCENTILES.forEach((name, percent) -> all.put(name, waits.percentile(percent)));
      all.put("max", waits.longest());
    }
    return all;
  }

  private static Map<String, Object> of(ReplayStats stats) {
    FairnessStats shares = stats.shares();
    List<String> denied = shares.mostDenied(LISTED).stream().map(Share::subject).toList();
    return fields(
        "count", shares.subjects(),
        "ever_denied", shares.everDenied(),
        "troubled", stats.troubled().count(),
        "denied", denied,
        "denied_not_listed", shares.everDenied() - denied.size(),
        "most_denied", shares.mostDenied(LimitTables.MOST_DENIED));
  }

  private static Map<String, Object> of(TimeSeries series) {
    return fields(
        "begin_us", series.beginUs(),
        "slot_us", series.widthUs(),
        "asked", series.counts(Kind.ASKED),
        "passed", series.counts(Kind.PASSED),
        "denied", series.counts(Kind.DENIED));
  }
}
