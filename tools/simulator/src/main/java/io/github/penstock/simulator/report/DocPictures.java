package io.github.penstock.simulator.report;

import io.github.penstock.report.chart.BarChart;
import io.github.penstock.report.chart.ReportFigure;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.replay.TrafficComparison;
import io.github.penstock.simulator.tokens.TokenComparison;
import io.github.penstock.simulator.tokens.TokenResult;
import io.github.penstock.simulator.tokens.TokenSetting;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pictures in docs: of docs/algorithms.md a burst on each side of a window's edge, and those of
 * docs/near.md and docs/reservations.md.
 */
public final class DocPictures {
  private DocPictures() {}

  /** Plays and draws: the texts of the files by their names in docs. */
  public static Map<String, String> files(TrafficComparison compare, TokenComparison tokens) {
    ReplayResult played =
        compare.scenario(TrafficScenario.EDGE, TrafficScenario.EDGE.candidates(), null);
    Map<String, String> files = new TreeMap<>(NearPictures.files(compare));
    BarChart most =
        new BarChart("The most that passed in any 3 s", "requests in 3 s; the limit is 1,000");
    TrafficChart chart = new TrafficChart(played);
    for (LimitResult result : played.results()) {
      String algorithm = result.candidate().algorithm();
      SeriesColor color = SeriesColor.ofKind(result.candidate().limit().kind().ordinal());
      ReportFigure figure = chart.figure(result, algorithm, color);
      files.put("algorithms/" + algorithm + ".svg", figure.file());
      long units = result.stats().peaks().get(0).most();
      most.bar(algorithm, "most in any 3 s", TrafficChapter.MOST, units);
    }
    files.put("algorithms/most.svg", most.figure("").file());
    List<TokenResult> charged = tokens.scenario(TokenSetting.all(), TokenSetting.LIMIT);
    files.put("reservations/most.svg", TokenReport.most(charged).file());
    files.put("reservations/used.svg", TokenReport.used(charged).file());
    return files;
  }
}
