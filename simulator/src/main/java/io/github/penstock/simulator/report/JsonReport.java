package io.github.penstock.simulator.report;

import io.github.penstock.core.engine.LimitEncoding;
import io.github.penstock.simulator.log.LogCount;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.FairnessStats;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.TimeSeries;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import io.github.penstock.simulator.stats.WaitHistogram;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The figures as maps and lists, for the JSON file. Times are in microseconds. */
final class JsonReport {
  private static final int MOST_DENIED = 10;
  private static final Map<String, Double> PERCENTILES =
      new TreeMap<>(Map.of("p50", 50.0, "p90", 90.0, "p99", 99.0, "p99.9", 99.9));

  private JsonReport() {}

  public static Map<String, Object> of(ReplayResult played) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("traffic", played.title());
    all.put("description", played.description());
    all.put("limits", played.results().stream().map(JsonReport::of).toList());
    return all;
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
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("limit", result.candidate().name());
    all.put("script", result.candidate().algorithm());
    all.put("arguments", LimitEncoding.of(result.candidate().limit()).arguments());
    all.put("asked", stats.asked());
    all.put("admitted", stats.admitted());
    all.put("denied", stats.denied());
    all.put("denied_for_ever", stats.never());
    all.put("units_asked", stats.unitsAsked());
    all.put("units_admitted", stats.unitsPassed());
    all.put("first_us", stats.firstUs());
    all.put("last_us", stats.lastUs());
    all.put("most_in_any_length", stats.peaks().stream().map(JsonReport::of).toList());
    all.put("told_to_wait_us", of(stats.waits()));
    all.put("admitted_told_to_wait_us", of(stats.delays()));
    all.put("subjects", of(stats.shares()));
    all.put("over_time", of(stats.series()));
    return all;
  }

  private static Map<String, Object> of(PeakUsage peak) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("length_us", peak.rate().periodMicros());
    all.put("limit_units", peak.rate().units());
    all.put("burst_units", peak.rate().capacity());
    all.put("most_units", peak.most());
    all.put("exact", peak.exact());
    all.put("subject", peak.subject());
    all.put("end_us", peak.endUs());
    return all;
  }

  private static Map<String, Object> of(WaitHistogram waits) {
    Map<String, Object> all = new LinkedHashMap<>(Map.of("count", waits.count()));
    if (waits.count() > 0) {
      PERCENTILES.forEach((name, percent) -> all.put(name, waits.percentile(percent)));
      all.put("max", waits.longest());
    }
    return all;
  }

  private static Map<String, Object> of(FairnessStats shares) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", shares.subjects());
    all.put("ever_denied", shares.everDenied());
    all.put("jains_index", shares.jainsIndex());
    all.put("requests_of_subjects_not_told_apart", shares.requestsBeyond());
    all.put("most_denied", shares.mostDenied(MOST_DENIED));
    return all;
  }

  private static Map<String, Object> of(TimeSeries series) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("begin_us", series.beginUs());
    all.put("slot_us", series.widthUs());
    for (Kind kind : Kind.values()) {
      all.put(kind.name().toLowerCase(Locale.ROOT), series.counts(kind));
    }
    return all;
  }
}
