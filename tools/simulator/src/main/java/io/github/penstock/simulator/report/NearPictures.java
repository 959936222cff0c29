package io.github.penstock.simulator.report;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.report.chart.LineChart;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.simulator.replay.TrafficComparison;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.PoissonTraffic;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * The pictures of docs/near.md: one subject with calls at random times, and the origin of each
 * answer.
 */
final class NearPictures {
  private static final SeriesColor LEASED = SeriesColor.TEAL;
  private static final long SEED = 5;
  private static final String TERMS = "100,500ms";
  private static final int PROCESSES = 4;
  private static final LimitCandidate LIMIT = LimitCandidate.of("token-bucket:500/1s,burst=250");
  private static final double[] PERCENT_OF_LIMIT = {
    20, 40, 60, 80, 90, 100, 110, 120, 135, 150, 175, 200
  };
  private static final double[] PER_SECOND = {3, 10, 30, 100, 300, 1_000, 3_000};
  private static final int[] MANY_PROCESSES = {1, 4, 16};
  private static final double SECONDS = 12;
  private static final double REQUESTS = 1_500;
  private static final double SECOND_US = 1e6;
  private final TrafficComparison compare;

  private NearPictures(TrafficComparison compare) {
    this.compare = compare;
  }

  /** Plays and draws: the texts of the files by their names. */
  static Map<String, String> files(TrafficComparison compare) {
    NearPictures pictures = new NearPictures(compare);
    Map<String, String> files = new TreeMap<>();
    pictures.byLoad(files);
    files.put("near/rates.svg", pictures.byRate());
    return files;
  }

  private void byLoad(Map<String, String> files) {
    List<LeaseStats> played =
        Arrays.stream(PERCENT_OF_LIMIT)
            .mapToObj(percent -> played(LIMIT, PROCESSES, 5 * percent, SECONDS))
            .toList();
    String x = "requests, in % of the limit";
    LineChart trips = new LineChart("Who answers, by load", x, "% of the requests");
    trips.line(
        "the server", SeriesColor.GREY, PERCENT_OF_LIMIT, part(played, DecisionSource.SERVER));
    trips.line("a lease", LEASED, PERCENT_OF_LIMIT, part(played, DecisionSource.LEASED));
    trips.line(
        "a remembered denial",
        SeriesColor.PINK,
        PERCENT_OF_LIMIT,
        part(played, DecisionSource.REMEMBERED));
    files.put("near/trips.svg", trips.figure("").file());
    LineChart denied = new LineChart("Denied, by load", x, "% of the requests");
    denied.line(
        "asking each time",
        SeriesColor.BLUE,
        PERCENT_OF_LIMIT,
        values(played, each -> percent(each, askingDenied(each))));
    denied.line(
        "4 processes that lease",
        LEASED,
        PERCENT_OF_LIMIT,
        values(played, each -> percent(each, each.stats().denied())));
    denied.line(
        "of them, though asking admits",
        SeriesColor.ORANGE,
        PERCENT_OF_LIMIT,
        values(played, each -> percent(each, each.deniedWrongly())));
    files.put("near/denied.svg", denied.figure("").file());
  }

  private String byRate() {
    LineChart chart =
        new LineChart(
                "Answered without a trip, by rate",
                "requests a second of one subject, at half of its limit",
                "% of the requests")
            .logarithmicX()
            .reach(1, 100);
    SeriesColor[] colors = {SeriesColor.BLUE, LEASED, SeriesColor.PURPLE};
    for (int i = 0; i < MANY_PROCESSES.length; i++) {
      int processes = MANY_PROCESSES[i];
      double[] saved =
          DoubleStream.of(PER_SECOND)
              .map(rate -> saved(played(twice(rate), processes, rate, REQUESTS / rate)))
              .toArray();
      String name = processes == 1 ? "1 process" : processes + " processes";
      chart.line(name, colors[i], PER_SECOND, saved);
    }
    return chart.figure("").file();
  }

  private static LimitCandidate twice(double rate) {
    return LimitCandidate.of("token-bucket:" + Math.round(2 * rate) + "/1s");
  }

  private LeaseStats played(LimitCandidate limit, int processes, double rate, double seconds) {
    PoissonTraffic traffic =
        new PoissonTraffic(SEED, TrafficScenario.BEGIN_US + Math.round(seconds * SECOND_US))
            .with("tenant", rate, TrafficScenario.BEGIN_US);
    return compare.leasing(
        traffic, limit, new LeaseSettings(processes, LeaseSettings.terms(TERMS)));
  }

  private static long askingDenied(LeaseStats each) {
    return each.stats().denied() - each.deniedWrongly() + each.admittedMore();
  }

  private static double percent(LeaseStats of, long requests) {
    return 100.0 * requests / of.stats().asked();
  }

  private static double saved(LeaseStats each) {
    return 100 - LimitTables.percent(each, DecisionSource.SERVER);
  }

  private static double[] part(List<LeaseStats> played, DecisionSource source) {
    return values(played, each -> LimitTables.percent(each, source));
  }

  private static double[] values(List<LeaseStats> played, ToDoubleFunction<LeaseStats> of) {
    return played.stream().mapToDouble(of).toArray();
  }
}
