package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.tokens.ChargeWay;
import io.github.penstock.simulator.tokens.TokenResult;
import io.github.penstock.simulator.tokens.TokenStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The results of four ways to charge, as text. */
public final class TokenText {
  private static final double MEDIAN = 50;
  /*
   * This part of a limit does not count as excess: rounding, and the overlap of a window's two
   * ends.
   */
  private static final double KEPT = 105;
  private final List<TokenResult> results;

  public TokenText(List<TokenResult> results) {
    this.results = List.copyOf(results);
  }

  /** Writes the page and the figures. */
  public void write(ReportFiles files, RunFacts facts) {
    files.write(
        new ReportDocument(
                "Penstock: what is charged, and when",
                "The same calls, charged in four ways. What a call uses is known at its end.",
                facts)
            .opens(table(results))
            .recommends(finding(), ""));
    files.write(facts, table(results).json());
  }

  /** The results of one traffic under one limit, group by group. */
  public List<List<TokenResult>> groups() {
    Map<String, List<TokenResult>> groups = new LinkedHashMap<>();
    results.forEach(
        each ->
            groups
                .computeIfAbsent(
                    each.traffic() + "\n" + each.limit().name(), key -> new ArrayList<>())
                .add(each));
    return List.copyOf(groups.values());
  }

  /** The traffic of a group; the limit as well, if there are several. */
  public String title(List<TokenResult> group) {
    TokenResult first = group.get(0);
    return limits() == 1 ? first.traffic() : first.traffic() + ", under " + first.limit().name();
  }

  private long limits() {
    return results.stream().map(each -> each.limit().name()).distinct().count();
  }

  /** What the figures are. */
  public String about() {
    TokenResult first = results.get(0);
    int seeds = first.plays().size();
    return "%sMost in %s: what one subject used in any such span, each call evenly over its time. Used: how much of the limit was used while calls began%s. A denied call does not come again. Reserved units exceed 100 %% only where the limit itself lets more pass, a bucket its burst, or where calls use more than their estimate.%s"
        .formatted(
            limits() == 1
                ? "Under " + first.limit().name() + ", in % of it. "
                : "In % of the limit. ",
            NumberText.exactTime(first.tier().periodMicros()),
            seeds == 1 ? ", by the subject that asked for most" : "",
            seeds == 1 ? "" : " The median of " + seeds + " seeds, and the worst of them.");
  }

  /**
   * The results of each way: of all calls or a group.
   *
   * @param of under one period
   */
  public ResultTable<TokenResult> table(List<TokenResult> of) {
    boolean seeds = results.get(0).plays().size() > 1;
    String most = "most in " + NumberText.exactTime(of.get(0).tier().periodMicros());
    ResultTable<TokenResult> table =
        new ResultTable<TokenResult>("What each way made of the calls", of);
    if (seeds) {
      table.words("calls", TokenResult::traffic).onPage();
    }
    table.words("way", each -> each.way().title()).brief("");
    if (limits() > 1) {
      table.words("limit", each -> each.limit().name()).onPage();
    }
    table
        .figure(most, FigureKind.WRITTEN, each -> percent(each.median(each::percentMost)))
        .brief(most.replaceFirst("(?<=in) ", "|"));
    if (seeds) {
      worst(table, each -> each.greatest(each::percentMost));
    } else {
      table.figure("units", FigureKind.COUNT, each -> each.plays().get(0).most());
    }
    table
        .figure(
            "limit used", FigureKind.WRITTEN, each -> percent(each.median(TokenStats::percentUsed)))
        .brief("used of|limit");
    if (seeds) {
      worst(table, each -> each.least(TokenStats::percentUsed));
    }
    table.figure(
        "denied", FigureKind.WRITTEN, each -> percent(each.median(TokenStats::percentDenied)));
    if (seeds) {
      worst(table, each -> each.greatest(TokenStats::percentDenied)).onPage();
    }
    return table
        .figure("told to wait, median", FigureKind.WRITTEN, TokenText::wait)
        .brief("told to wait,|median")
        .field("traffic", TokenResult::traffic)
        .field("limit", each -> each.limit().name())
        .field("way", each -> each.way().name().toLowerCase(Locale.ROOT))
        .field("limit_units", each -> each.tier().units())
        .field("period_us", each -> each.tier().periodMicros())
        .field("plays", each -> each.plays().stream().map(TokenText::json).toList())
        .note(about());
  }

  private static ResultTable<TokenResult> worst(
      ResultTable<TokenResult> table, ToDoubleFunction<TokenResult> figure) {
    return table.figure("worst", FigureKind.WRITTEN, each -> percent(figure.applyAsDouble(each)));
  }

  private static Map<String, Object> json(TokenStats stats) {
    return ReportFiles.fields(
        "asked", stats.asked(),
        "denied", stats.denied(),
        "denied_for_ever", stats.never(),
        "units_asked", stats.unitsAsked(),
        "units_used", stats.unitsUsed(),
        "most_units_in_a_period", stats.most(),
        "percent_of_limit_used", stats.percentUsed(),
        "told_to_wait_us",
            ReportFiles.fields(
                "count", stats.waits().count(),
                "p50", stats.waits().percentile(50),
                "p99", stats.waits().percentile(99),
                "max", stats.waits().longest()));
  }

  private static String percent(double value) {
    return NumberText.of(value, value > 0 && value < 10 ? "0.0" : "#,##0") + " %";
  }

  private static String wait(TokenResult of) {
    return of.plays().stream().allMatch(each -> each.waits().count() == 0)
        ? "-"
        : NumberText.time(Math.round(of.median(TokenText::medianWaitUs)));
  }

  private static double medianWaitUs(TokenStats stats) {
    return stats.waits().percentile(MEDIAN);
  }

  /** The one sentence: the way that uses most of the limit and does not exceed it. */
  public String finding() {
    List<ChargeWay> ways =
        Arrays.stream(ChargeWay.values())
            .filter(way -> results.stream().anyMatch(each -> each.way() == way))
            .toList();
    ChargeWay best =
        ways.stream()
            .min(
                Comparator.comparingDouble((ChargeWay way) -> Math.max(KEPT, most(way)))
                    .thenComparing(way -> -used(way)))
            .orElseThrow();
    return "Use \"%s\": in no %s is more than %s %% of the limit used, and over all %s %%. The most of all these, in %% of the limit: "
            .formatted(
                best.title(),
                NumberText.per(results.get(0).tier().periodMicros()),
                NumberText.count(most(best)),
                NumberText.count(used(best)))
        + Arrays.stream(ChargeWay.values())
            .filter(way -> results.stream().anyMatch(each -> each.way() == way))
            .map(way -> way.title() + " " + NumberText.count(most(way)))
            .collect(Collectors.joining("; "))
        + ".";
  }

  private double used(ChargeWay way) {
    return results.stream()
        .filter(each -> each.way() == way)
        .mapToDouble(each -> each.median(TokenStats::percentUsed))
        .average()
        .orElse(0);
  }

  private double most(ChargeWay way) {
    return results.stream()
        .filter(each -> each.way() == way)
        .mapToDouble(each -> each.greatest(each::percentMost))
        .max()
        .orElse(0);
  }
}
