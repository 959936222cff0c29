package io.github.penstock.simulator.report;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.FigureKind.PartOf;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.FairnessStats.Share;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.stats.ReplayStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The effect of limits on traffic, in the tables of a terminal and of the top of the page. */
public final class LimitTables {
  static final int MOST_DENIED = 10;

  /** The words in the row of a limit that has no leases (rule L7). */
  static final String ASKS = "asks each time";

  private static final String NONE = "-";
  private static final long HALF = 50;
  private static final long RARE = 1_000;

  private LimitTables() {}

  /**
   * A row of a table about limits and their tiers.
   *
   * @param first whether it is the row of the limit's first tier, which has the limit's own figures
   */
  record TierRow(LimitResult result, PeakUsage peak, boolean first) {
    /** A row for each tier. */
    static List<TierRow> of(ReplayResult played) {
      List<TierRow> rows = new ArrayList<>();
      for (LimitResult result : played.results()) {
        List<PeakUsage> peaks = result.stats().peaks();
        peaks.forEach(peak -> rows.add(new TierRow(result, peak, peak == peaks.get(0))));
      }
      return rows;
    }

    ReplayStats stats() {
      return result.stats();
    }

    String most() {
      return (peak.exact() ? "" : "up to ") + NumberText.count(peak.most());
    }
  }

  /**
   * The denials and their number of subjects, the greatest at once, the waits.
   *
   * @param rateIsKnown whether the algorithms' names are enough
   */
  public static ResultTable<?> summary(ReplayResult played, boolean rateIsKnown) {
    ResultTable<TierRow> table =
        new ResultTable<TierRow>("What each limit would have done", TierRow.of(played))
            .words("limit", once(limit -> name(limit, rateIsKnown)))
            .figure("denied", FigureKind.PERCENT, once(limit -> denied(played, limit)))
            .figure("subjects denied", FigureKind.WRITTEN, once(limit -> hurt(played, limit)))
            .brief("subjects|denied")
            .figure("most " + played.units() + " of one subject", FigureKind.WRITTEN, MOST_IN)
            .brief("most " + played.units() + " of|one subject")
            .figure("it can pass", FigureKind.COUNT, row -> row.result.atMost(row.peak))
            .brief("it can|pass")
            .figure("told to wait (99 %)", FigureKind.TIME, once(wait(ReplayStats::longWaitUs)))
            .brief("wait,|99 %")
            .figure(
                "requests denied",
                FigureKind.WRITTEN,
                once(limit -> played.whole(played.denied(limit.stats()))))
            .brief("requests|denied")
            .spared(2)
            .figure("told to wait (median)", FigureKind.TIME, once(wait(ReplayStats::medianWaitUs)))
            .brief("wait,|median")
            .spared(1);
    return played.results().stream().allMatch(each -> each.stats().longDelayUs() == 0)
        ? table
        : table
            .figure("admitted, but put off (99 %)", FigureKind.TIME, once(LimitTables::delay))
            .brief("put off,|99 %")
            .spared(3);
  }

  private static final Function<TierRow, Object> MOST_IN =
      row -> row.most() + " in " + NumberText.exactTime(row.peak.tier().periodMicros());

  private static Function<TierRow, @Nullable Object> once(Function<LimitResult, Object> figure) {
    return row -> row.first ? figure.apply(row.result) : null;
  }

  private static String name(LimitResult limit, boolean rateIsKnown) {
    return rateIsKnown ? limit.candidate().algorithm() : limit.candidate().name();
  }

  private static PartOf denied(ReplayResult played, LimitResult limit) {
    return new PartOf(played.denied(limit.stats()), played.asked(limit.stats()));
  }

  private static String hurt(ReplayResult played, LimitResult limit) {
    return played.whole(limit.stats().shares().everDenied())
        + " of "
        + played.whole(limit.stats().shares().subjects());
  }

  private static Object delay(LimitResult limit) {
    long delayUs = limit.stats().longDelayUs();
    return delayUs > 0 ? delayUs : NONE;
  }

  /** A wait of denied callers. */
  static Function<LimitResult, Object> wait(ToLongFunction<ReplayStats> waitUs) {
    return limit -> {
      long us = waitUs.applyAsLong(limit.stats());
      return limit.stats().denied() == 0 ? NONE : us == ReplayStats.FOR_EVER ? "for ever" : us;
    };
  }

  /** The same in words. */
  static String waitText(LimitResult limit, ToLongFunction<ReplayStats> waitUs) {
    Object wait = wait(waitUs).apply(limit);
    return wait instanceof Long us ? NumberText.time(us) : wait.toString();
  }

  /** The part of the requests that each limit denied of each piece of built-in traffic. */
  static ResultTable<?> scenarios(List<ReplayResult> played) {
    String title = "Each limit under each traffic";
    return scenarios(played, title, "denied, by traffic", LimitTables::denied);
  }

  /** The most that passed of one subject in each piece of it, in any span of a limit's length. */
  static ResultTable<?> mostPassed(List<ReplayResult> played) {
    String title = "The most that passed in any span of the limit's length, in % of the limit";
    return scenarios(played, title, "most that passed", LimitTables::mostPassed);
  }

  private static PartOf mostPassed(ReplayResult played, LimitResult limit) {
    return limit.stats().peaks().stream()
        .map(peak -> new PartOf(peak.most(), peak.tier().units()))
        .max(Comparator.comparingDouble(peak -> (double) peak.part() / peak.whole()))
        .orElseThrow();
  }

  private static ResultTable<?> scenarios(
      List<ReplayResult> played,
      String title,
      String row,
      BiFunction<ReplayResult, LimitResult, PartOf> figure) {
    List<String> limits =
        played.stream()
            .flatMap(each -> each.results().stream().map(each::label))
            .distinct()
            .sorted()
            .toList();
    ResultTable<String> table = new ResultTable<String>(title, limits).words(row, limit -> limit);
    for (ReplayResult each : played) {
      table.figure(
          each.title(),
          FigureKind.PERCENT,
          limit ->
              each.results().stream()
                  .filter(result -> each.label(result).equals(limit))
                  .map(result -> (Object) figure.apply(each, result))
                  .findFirst()
                  .orElse(NONE));
    }
    return table;
  }

  /** The result of processes with leases, compared with one limiter without them. */
  public static ResultTable<?> leasing(ReplayResult played, boolean rateIsKnown) {
    List<LeaseRow> rows = new ArrayList<>();
    for (LimitResult each : played.results()) {
      if (each.leasing() != null) {
        rows.add(new LeaseRow(each, each.leasing()));
      }
    }
    String title = played.title() + ": " + rows.get(0).leasing.settings();
    return leasing(title, rows, played.units(), rateIsKnown)
        .note(
            "Each request goes to one of the processes at random. Each process remembers denials"
                + " for up to 100 ms, and no trip takes time here. Limits of several tiers, leaky"
                + " buckets and interval buckets have no leases: every call asks that is not a"
                + " remembered denial.");
  }

  static Map<String, @Nullable Object> json(LimitResult result, LeaseStats leasing) {
    return leasing("", List.of(new LeaseRow(result, leasing)), "", false).json().get(0);
  }

  /** Whether leases are worth it: they save half of the trips, and hardly deny wrongly. */
  public static String leaseSentence(ReplayResult played) {
    List<LeaseStats> all =
        played.results().stream()
            .map(LimitResult::leasing)
            .flatMap(Stream::ofNullable)
            .filter(LeaseStats::leases)
            .toList();
    if (all.isEmpty()) {
      return "None of these limits can be leased.";
    }
    List<Long> asked =
        all.stream()
            .map(each -> Math.round(percent(each, DecisionSource.SERVER)))
            .sorted()
            .toList();
    long least = asked.get(0);
    long most = asked.get(asked.size() - 1);
    long wrongly = all.stream().mapToLong(LeaseStats::deniedWrongly).max().orElse(0);
    boolean worth = most <= HALF && wrongly * RARE <= all.get(0).stats().asked();
    return "Leases are %sworth it here: %s %% of the requests still ask the server, and %s denied wrongly."
        .formatted(
            worth ? "" : "not ",
            least == most ? least : least + " to " + most,
            wrongly == 0 ? "none is" : "up to " + NumberText.count(wrongly) + " are");
  }

  /** The part of the requests that were answered so, in percent. */
  private static double percent(LeaseStats leasing, DecisionSource source) {
    long asked = leasing.stats().asked();
    return asked == 0 ? 0 : 100.0 * leasing.requests(source) / asked;
  }

  private static ResultTable<LeaseRow> leasing(
      String title, List<LeaseRow> rows, String units, boolean rateIsKnown) {
    return new ResultTable<LeaseRow>(title, rows)
        .words("limit", row -> name(row.result, rateIsKnown))
        .field("processes", row -> row.leasing.settings().processes())
        .field("most_units_of_a_lease", row -> row.leasing.settings().terms().most())
        .field("held_at_most_us", row -> row.leasing.settings().atMostUs())
        .field("has_leases", row -> row.leasing.leases())
        .figure("admitted by processes that lease", FigureKind.COUNT, row -> row.stats().admitted())
        .field("admitted")
        .brief("leasing|admits")
        .spared(3)
        .field("denied", row -> row.stats().denied())
        .figure(
            "denied, though asking admits", FigureKind.COUNT, row -> row.leasing.deniedWrongly())
        .field("denied_though_asking_admits")
        .unless(row -> row.unless(NONE))
        .brief("wrongly|denied")
        .figure(
            "admitted, though asking denies", FigureKind.COUNT, row -> row.leasing.admittedMore())
        .field("admitted_though_asking_denies")
        .unless(row -> row.unless(NONE))
        .brief("admits|more")
        .figure("asked the server", FigureKind.PERCENT, row -> row.answered(DecisionSource.SERVER))
        .field("asked_the_server")
        .brief("asked")
        .figure(
            "answered by a remembered denial",
            FigureKind.PERCENT,
            row -> row.answered(DecisionSource.REMEMBERED))
        .field("remembered_denials")
        .brief("remem-|bered")
        .spared(2)
        .figure(
            "handed leased units", FigureKind.PERCENT, row -> row.answered(DecisionSource.LEASED))
        .field("handed_leased_units")
        .unless(row -> row.unless(NONE))
        .brief("leased")
        .field("units_leased", row -> row.leasing.unitsLeased())
        .figure(
            "most " + units + " of one subject",
            FigureKind.WRITTEN,
            row -> MOST_IN.apply(new TierRow(row.result, row.peak(), true)))
        .unless(row -> row.unless(ASKS))
        .brief("most|of one subject")
        .field(
            "most_in_any_length", row -> row.stats().peaks().stream().map(JsonReport::of).toList())
        .figure(
            "it can pass",
            FigureKind.COUNT,
            row -> row.leasing.leases() ? row.result.atMostLeasing(row.leasing, row.peak()) : null)
        .field("can_pass_units")
        .unless(row -> row.unless(NONE))
        .brief("it can|pass")
        .spared(5)
        .figure("units leased and never used", FigureKind.COUNT, row -> row.leasing.unitsUnused())
        .field("units_never_used")
        .unless(row -> row.unless(NONE))
        .brief("units|unused")
        .spared(4)
        .figure(
            "admitted by asking each time", FigureKind.COUNT, row -> row.result.stats().admitted())
        .brief("asking|admits")
        .spared(1);
  }

  private record LeaseRow(LimitResult result, LeaseStats leasing) {
    ReplayStats stats() {
      return leasing.stats();
    }

    PeakUsage peak() {
      return stats().peaks().get(0);
    }

    PartOf answered(DecisionSource source) {
      return new PartOf(leasing.requests(source), stats().asked());
    }

    @Nullable String unless(String words) {
      return leasing.leases() ? null : words;
    }
  }

  private record ShareRow(LimitResult result, Share share) {}

  /** The subjects that each limit denied most often. */
  static ResultTable<?> mostDenied(ReplayResult played) {
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
