package io.github.penstock.simulator.report;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.report.DataTable;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.ReportFinding;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.ReportFigure;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.tokens.ChargeWay;
import io.github.penstock.simulator.tokens.TokenResult;
import io.github.penstock.simulator.tokens.TokenStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The page and the figures of four ways to charge. */
public final class TokenReport {
  private static final List<SeriesColor> COLORS =
      List.of(SeriesColor.RED, SeriesColor.ORANGE, SeriesColor.PURPLE, SeriesColor.BLUE);
  private final List<TokenResult> results;
  private final TokenText text;
  private final RunFacts facts;

  public TokenReport(List<TokenResult> results, String server, List<String> arguments) {
    this.results = List.copyOf(results);
    this.text = new TokenText(results);
    this.facts = RunFacts.here().add("Server", server).command(arguments);
  }

  /**
   * Writes all of it.
   *
   * @param decisions who made how many
   */
  public void write(ReportFiles files, String decisions) {
    facts.add("Decisions", decisions);
    ReportDocument report =
        new ReportDocument(
                "Penstock: what is charged, and when",
                "The same calls, charged in four ways. What a call uses is known at its end.",
                facts)
            .opens(table())
            .inShort(ReportFinding.note(text.finding()));
    for (String limit : results.stream().map(each -> each.limit().name()).distinct().toList()) {
      List<TokenResult> of =
          results.stream().filter(each -> each.limit().name().equals(limit)).toList();
      report.add(new ReportChapter("Under " + limit, text.about()).add(most(of)).add(used(of)));
    }
    files.write(report);
    files.write(facts, results.stream().map(TokenReport::json).toList());
  }

  private DataTable table() {
    boolean seeds = results.get(0).plays().size() > 1;
    boolean limits = text.limits() > 1;
    List<String> header = new ArrayList<>(List.of(seeds ? "calls" : "way"));
    if (limits) {
      header.add("limit");
    }
    if (seeds) {
      header.add("way");
    }
    int texts = header.size();
    String period = NumberText.exactTime(results.get(0).tier().periodMicros());
    header.addAll(
        seeds
            ? List.of("most in " + period, "worst", "limit used", "worst", "denied", "worst")
            : List.of("most in " + period, "units", "limit used", "denied"));
    header.add("told to wait, median");
    DataTable table =
        new DataTable("What each way made of the calls", texts, header.toArray(String[]::new));
    for (TokenResult each : results) {
      List<String> row = new ArrayList<>(List.of(seeds ? each.traffic() : each.way().title()));
      if (limits) {
        row.add(each.limit().name());
      }
      if (seeds) {
        row.add(each.way().title());
      }
      row.addAll(seeds ? seeded(each) : single(each));
      row.add(TokenText.wait(each));
      table.row(row);
    }
    return table.note(text.about());
  }

  private static List<String> seeded(TokenResult of) {
    return List.of(
        TokenText.percent(of.median(of::percentMost)),
        TokenText.percent(of.greatest(of::percentMost)),
        TokenText.percent(of.median(TokenStats::percentUsed)),
        TokenText.percent(of.least(TokenStats::percentUsed)),
        TokenText.percent(of.median(TokenStats::percentDenied)),
        TokenText.percent(of.greatest(TokenStats::percentDenied)));
  }

  private static List<String> single(TokenResult of) {
    TokenStats stats = of.plays().get(0);
    return List.of(
        TokenText.percent(of.percentMost(stats)),
        NumberText.count(stats.most()),
        TokenText.percent(stats.percentUsed()),
        TokenText.percent(stats.percentDenied()));
  }

  /** The most that was used in a period: the worst of the seeds. */
  static ReportFigure most(List<TokenResult> results) {
    String period = NumberText.exactTime(results.get(0).tier().periodMicros());
    return bars(
        "The most that was used in any " + period,
        "% of the limit, " + worst(results, "the worst"),
        results,
        each -> each.greatest(each::percentMost));
  }

  /** How much of the limit was used: the median of the seeds. */
  static ReportFigure used(List<TokenResult> results) {
    return bars(
        "How much of the limit was used",
        "% of the limit, " + worst(results, "the median"),
        results,
        each -> each.median(TokenStats::percentUsed));
  }

  private static String worst(List<TokenResult> results, String which) {
    int seeds = results.get(0).plays().size();
    return seeds == 1 ? "all calls" : which + " of " + seeds + " seeds";
  }

  private static ReportFigure bars(
      String title, String axis, List<TokenResult> results, ToDoubleFunction<TokenResult> figure) {
    BarChart chart = new BarChart(title, axis);
    for (TokenResult each : results) {
      ChargeWay way = each.way();
      chart.bar(each.traffic(), way.title(), COLORS.get(way.ordinal()), figure.applyAsDouble(each));
    }
    return chart.figure("");
  }

  private static Map<String, Object> json(TokenResult result) {
    return fields(
        "traffic", result.traffic(),
        "limit", result.limit().name(),
        "way", result.way().name().toLowerCase(Locale.ROOT),
        "limit_units", result.tier().units(),
        "period_us", result.tier().periodMicros(),
        "plays", result.plays().stream().map(TokenReport::json).toList());
  }

  private static Map<String, Object> json(TokenStats stats) {
    return fields(
        "asked", stats.asked(),
        "denied", stats.denied(),
        "denied_for_ever", stats.never(),
        "units_asked", stats.unitsAsked(),
        "units_used", stats.unitsUsed(),
        "most_units_in_a_period", stats.most(),
        "percent_of_limit_used", stats.percentUsed(),
        "told_to_wait_us",
            fields(
                "count", stats.waits().count(),
                "p50", stats.waits().percentile(50),
                "p99", stats.waits().percentile(99),
                "max", stats.waits().longest()));
  }
}
