package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.Series.Kind;
import io.github.penstock.benchmarks.compare.log.LogCount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured as maps and lists, for the JSON file. Times are in microseconds. */
final class Figures {
  private static final int MOST_DENIED = 10;

  private Figures() {}

  static Map<String, Object> of(Played played) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("traffic", played.title());
    all.put("description", played.description());
    all.put("limits", played.results().stream().map(Figures::of).toList());
    return all;
  }

  static Map<String, Object> of(LogCount count) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("formats", count.formats());
    all.put("requests", count.requests());
    all.put("unreadable", count.unreadable());
    all.put("first_complaints", count.complaints());
    all.put("without_subject", count.withoutSubject());
    all.put("without_cost", count.withoutCost());
    all.put("put_in_order", count.sorted());
    all.put("too_late_to_order", count.late());
    all.put("whole_seconds", count.wholeSeconds());
    return all;
  }

  private static Map<String, Object> of(Result result) {
    Tally tally = result.tally();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("limit", result.candidate().name());
    all.put("script", result.candidate().algorithm());
    all.put("arguments", result.candidate().limit().arguments());
    all.put("asked", tally.asked());
    all.put("admitted", tally.admitted());
    all.put("denied", tally.denied());
    all.put("denied_for_ever", tally.never());
    all.put("units_asked", tally.unitsAsked());
    all.put("units_admitted", tally.unitsPassed());
    all.put("first_us", tally.firstUs());
    all.put("last_us", tally.lastUs());
    all.put("most_in_any_length", tally.peaks().stream().map(Figures::of).toList());
    all.put("told_to_wait_us", of(tally.waits()));
    all.put("admitted_told_to_wait_us", of(tally.delays()));
    all.put("subjects", of(tally.shares()));
    all.put("over_time", of(tally.series()));
    return all;
  }

  private static Map<String, Object> of(Peak peak) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("length_us", peak.allowance().periodUs());
    all.put("limit_units", peak.allowance().units());
    all.put("burst_units", peak.allowance().burst());
    all.put("most_units", peak.most());
    all.put("exact", peak.exact());
    all.put("subject", peak.subject());
    all.put("end_us", peak.endUs());
    return all;
  }

  private static Map<String, Object> of(Waits waits) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", waits.count());
    if (waits.count() > 0) {
      all.put("p50", waits.percentile(50));
      all.put("p90", waits.percentile(90));
      all.put("p99", waits.percentile(99));
      all.put("p99.9", waits.percentile(99.9));
      all.put("max", waits.longest());
    }
    return all;
  }

  private static Map<String, Object> of(Shares shares) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", shares.subjects());
    all.put("ever_denied", shares.everDenied());
    all.put("jains_index", shares.jainsIndex());
    all.put("requests_of_subjects_not_told_apart", shares.requestsBeyond());
    all.put("most_denied", shares.mostDenied(MOST_DENIED));
    return all;
  }

  private static Map<String, Object> of(Series series) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("begin_us", series.beginUs());
    all.put("slot_us", series.widthUs());
    for (Kind kind : List.of(Kind.ASKED, Kind.PASSED, Kind.DENIED)) {
      all.put(kind.name().toLowerCase(Locale.ROOT), series.counts(kind));
    }
    return all;
  }
}
