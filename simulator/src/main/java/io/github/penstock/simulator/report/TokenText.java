package io.github.penstock.simulator.report;

import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.tokens.ChargeWay;
import io.github.penstock.simulator.tokens.TokenResult;
import io.github.penstock.simulator.tokens.TokenStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What four ways to charge made of calls, as text. */
public final class TokenText {
  private static final double MEDIAN = 50;
  private final List<TokenResult> results;

  public TokenText(List<TokenResult> results) {
    this.results = List.copyOf(results);
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

  long limits() {
    return results.stream().map(each -> each.limit().name()).distinct().count();
  }

  /** What the figures are. */
  public String about() {
    TokenResult first = results.get(0);
    int seeds = first.plays().size();
    return "%sMost in %s: what one subject used in any such span, each call evenly over its time. Used: how much of the limit was used while calls began%s. A denied call does not come again.%s"
        .formatted(
            limits() == 1
                ? "Under " + first.limit().name() + ", in % of it. "
                : "In % of the limit. ",
            NumberText.exactTime(first.tier().periodMicros()),
            seeds == 1 ? ", by the subject that asked for most" : "",
            seeds == 1 ? "" : " The median of " + seeds + " seeds, and the worst of them.");
  }

  /** A line for each way. */
  public static List<String> lines(List<TokenResult> group) {
    boolean seeds = group.get(0).plays().size() > 1;
    TextTable table = new TextTable(1);
    if (seeds) {
      table
          .row("", "most in", "", "used of", "", "", "told to wait,")
          .row(
              "",
              NumberText.exactTime(group.get(0).tier().periodMicros()),
              "worst",
              "limit",
              "worst",
              "denied",
              "median");
    } else {
      table
          .row("", "most in", "", "used of", "", "told to wait,")
          .row(
              "",
              NumberText.exactTime(group.get(0).tier().periodMicros()),
              "units",
              "limit",
              "denied",
              "median");
    }
    group.forEach(each -> table.row(seeds ? seeded(each) : single(each)));
    return table.lines();
  }

  private static List<String> seeded(TokenResult of) {
    return List.of(
        of.way().title(),
        percent(of.median(of::percentMost)),
        percent(of.greatest(of::percentMost)),
        percent(of.median(TokenStats::percentUsed)),
        percent(of.least(TokenStats::percentUsed)),
        percent(of.median(TokenStats::percentDenied)),
        wait(of));
  }

  private static List<String> single(TokenResult of) {
    TokenStats stats = of.plays().get(0);
    return List.of(
        of.way().title(),
        percent(of.percentMost(stats)),
        NumberText.count(stats.most()),
        percent(stats.percentUsed()),
        percent(stats.percentDenied()),
        wait(of));
  }

  static String percent(double value) {
    return NumberText.of(value, value > 0 && value < 10 ? "0.0" : "#,##0") + " %";
  }

  static String wait(TokenResult of) {
    return of.plays().stream().allMatch(each -> each.waits().count() == 0)
        ? "-"
        : NumberText.time(Math.round(of.median(TokenText::medianWaitUs)));
  }

  static double medianWaitUs(TokenStats stats) {
    return stats.waits().percentile(MEDIAN);
  }

  /** The one sentence. */
  public String finding() {
    return "The most of all these, in % of the limit: "
        + Arrays.stream(ChargeWay.values())
            .filter(way -> results.stream().anyMatch(each -> each.way() == way))
            .map(way -> way.title() + " " + NumberText.count(most(way)))
            .collect(Collectors.joining("; "))
        + ".";
  }

  private double most(ChargeWay way) {
    return results.stream()
        .filter(each -> each.way() == way)
        .mapToDouble(each -> each.greatest(each::percentMost))
        .max()
        .orElse(0);
  }
}
