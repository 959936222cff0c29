package io.github.penstock.simulator.report;

import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.ReportDocument;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.ReportFigure;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.tokens.ChargeWay;
import io.github.penstock.simulator.tokens.TokenResult;
import io.github.penstock.simulator.tokens.TokenStats;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The page and the figures of four ways to charge. */
public final class TokenReport {
  private static final List<SeriesColor> COLORS =
      List.of(SeriesColor.RED, SeriesColor.ORANGE, SeriesColor.PURPLE, SeriesColor.BLUE);
  private static final double WHOLE = 100;
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
   * @param decisions the number of decisions by their origin
   */
  public void write(ReportFiles files, String decisions) {
    facts.add("Decisions", decisions);
    ReportDocument report =
        new ReportDocument(
                "Penstock: what is charged, and when",
                "The same calls, charged in four ways. What a call uses is known at its end.",
                facts)
            .opens(text.table(results))
            .recommends(text.finding(), "");
    for (String limit : results.stream().map(each -> each.limit().name()).distinct().toList()) {
      List<TokenResult> of =
          results.stream().filter(each -> each.limit().name().equals(limit)).toList();
      report.add(new ReportChapter("Under " + limit, text.about()).add(most(of)).add(used(of)));
    }
    files.write(report);
    files.write(facts, text.table(results).json());
  }

  /** The most that was used in a period: the worst of the seeds. */
  static ReportFigure most(List<TokenResult> results) {
    String period = NumberText.exactTime(results.get(0).tier().periodMicros());
    return bars(
        "The most that was used in any " + period,
        "% of the limit, " + worst(results, "the worst"),
        results,
        each -> each.greatest(each::percentMost),
        "The line is the limit. \"reserved\" exceeds it where the limit itself lets more pass, a"
            + " sliding window slightly and a bucket its burst, and where calls use more than their"
            + " estimate, which is charged at their end.");
  }

  /** How much of the limit was used: the median of the seeds. */
  static ReportFigure used(List<TokenResult> results) {
    return bars(
        "How much of the limit was used",
        "% of the limit, " + worst(results, "the median"),
        results,
        each -> each.median(TokenStats::percentUsed),
        "The line is the limit.");
  }

  private static String worst(List<TokenResult> results, String which) {
    int seeds = results.get(0).plays().size();
    return seeds == 1 ? "all calls" : which + " of " + seeds + " seeds";
  }

  private static ReportFigure bars(
      String title,
      String axis,
      List<TokenResult> results,
      ToDoubleFunction<TokenResult> figure,
      String caption) {
    BarChart chart = new BarChart(title, axis).mark(WHOLE);
    for (TokenResult each : results) {
      ChargeWay way = each.way();
      chart.bar(each.traffic(), way.title(), COLORS.get(way.ordinal()), figure.applyAsDouble(each));
    }
    return chart.figure(caption);
  }
}
