package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures that decide first: how far one server goes, and which client is faster. */
record ClientChoice(BenchmarkResults results, List<RedisClientType> clients) {
  private static final double SECOND_US = 1e6;
  private static final int ROUNDED_TO = 1_000;

  /**
   * The sentences that come first: how far one server goes, and which client to take; what is not
   * known is left out.
   *
   * @param perSecond what the reader needs; 0 if that was not said
   */
  List<String> advice(long perSecond) {
    Map<RedisClientType, Double> capacities = new EnumMap<>(RedisClientType.class);
    clients.forEach(client -> capacity(client).ifPresent(most -> capacities.put(client, most)));
    String capacity =
        capacities.isEmpty() ? "" : capacity(capacities) + share(capacities, perSecond);
    return Stream.of(capacity, fastest()).filter(each -> !each.isEmpty()).toList();
  }

  private String capacity(Map<RedisClientType, Double> capacities) {
    Map<String, List<String>> byFigure = new LinkedHashMap<>();
    capacities.entrySet().stream()
        .sorted(Map.Entry.<RedisClientType, Double>comparingByValue().reversed())
        .forEach(
            each ->
                byFigure
                    .computeIfAbsent(rounded(each.getValue()), figure -> new ArrayList<>())
                    .add(each.getKey().title()));
    List<String> figures = new ArrayList<>();
    byFigure.forEach(
        (figure, of) ->
            figures.add(
                "%s%s with %s"
                    .formatted(
                        figure,
                        figures.isEmpty() ? " decisions a second" : "",
                        BenchChapter.list(of))));
    DoubleSummaryStatistics micros =
        capacities.keySet().stream()
            .mapToDouble(client -> micros(client).orElseThrow())
            .summaryStatistics();
    String least = NumberText.tenths(micros.getMin());
    String most = NumberText.tenths(micros.getMax());
    return "One server can make at least %s. Each takes %s µs of its one thread, network included, and less when the server is busier."
        .formatted(BenchChapter.list(figures), least.equals(most) ? most : least + " to " + most);
  }

  private static String share(Map<RedisClientType, Double> capacities, long perSecond) {
    if (perSecond == 0) {
      return "";
    }
    long least = Math.round(Collections.min(capacities.values()));
    List<String> enough =
        capacities.entrySet().stream()
            .filter(each -> each.getValue() >= perSecond)
            .map(each -> each.getKey().title())
            .toList();
    return " Your %s a second %s."
        .formatted(
            NumberText.count(perSecond),
            enough.size() == capacities.size()
                ? "are at most " + NumberText.percent(perSecond, least) + " of that"
                : enough.isEmpty()
                    ? "may need more servers than one"
                    : "are sure to fit into one server only with " + String.join(" or ", enough));
  }

  /*
   * A busier server takes less time for each decision, so it may make more than its time for a
   * single one suggests.
   */
  private Optional<Double> capacity(RedisClientType client) {
    return micros(client)
        .map(
            micros ->
                Stream.of(BenchmarkProfile.THREADS, BenchmarkProfile.MANY_THREADS)
                    .flatMap(threads -> ours(client, threads).stream())
                    .map(MeasuredCase::perSecond)
                    .reduce(SECOND_US / micros, Math::max));
  }

  private static String rounded(double perSecond) {
    return NumberText.count(Math.max(1, Math.floor(perSecond / ROUNDED_TO)) * ROUNDED_TO);
  }

  /* Faster is what is faster by more than the run wavers. */
  private String fastest() {
    List<MeasuredCase> measured =
        clients.stream()
            .flatMap(client -> ours(client, BenchmarkProfile.THREADS).stream())
            .sorted(Comparator.comparingDouble(MeasuredCase::perSecond).reversed())
            .toList();
    if (measured.size() < 2) {
      return "";
    }
    MeasuredCase first = measured.get(0);
    double spread = results.widest().map(RoundRatio::spread).orElse(0.0);
    List<String> level = new ArrayList<>();
    List<String> slower = new ArrayList<>();
    for (MeasuredCase each : measured) {
      RoundRatio ahead = RoundRatio.ofMedian(first.iterations(), each.iterations());
      String title = each.what().client().title();
      if (ahead.isMore(spread)) {
        slower.add(
            "%s times as many%s as %s"
                .formatted(
                    NumberText.hundredths(ahead.value()),
                    slower.isEmpty() ? " decisions a second" : "",
                    title));
      } else {
        level.add(title);
      }
    }
    return slower.isEmpty()
        ? "No client is faster than another by more than the spread of this run: take the one that you"
            + " have."
        : "If you have no client yet, take %s: %s makes %s."
            .formatted(
                String.join(" or ", level),
                level.size() == 1 ? "it" : level.get(0),
                BenchChapter.list(slower));
  }

  ResultTable<MeasuredCase> table() {
    List<MeasuredCase> measured =
        clients.stream()
            .flatMap(client -> ours(client, BenchmarkProfile.THREADS).stream())
            .toList();
    return new ResultTable<MeasuredCase>(
            "Token bucket, 8 threads that ask for 10,000 subjects one by one, all allowed",
            measured)
        .words("client", m -> m.what().client().title())
        .figure("decisions a second here", FigureKind.COUNT, MeasuredCase::perSecond)
        .figure(
            "ratio to the same commands sent raw",
            FigureKind.HUNDREDTHS,
            m -> BenchmarkTables.value(results.toSameCommands(m)))
        .figure("99 % take at most, µs", FigureKind.COUNT, MeasuredCase::p99Micros)
        .figure(
            "µs of the server's thread",
            FigureKind.TENTHS,
            m -> micros(m.what().client()).orElse(null))
        .figure(
            "one server makes at least, a second",
            FigureKind.WRITTEN,
            m -> capacity(m.what().client()).map(ClientChoice::rounded).orElse(""))
        .note(
            "The same commands sent raw are the floor, which nothing can beat: a ratio above 1"
                + " is noise. One server makes at least what its time for one decision allows,"
                + " or what 8 or 64 threads were seen to make; batches make more.");
  }

  private Optional<MeasuredCase> ours(RedisClientType client, int threads) {
    return results.find(BenchmarkCase.bucket(client, SubjectWorkload.ALLOWED, threads));
  }

  /* Of the server's one thread, per decision. */
  private Optional<Double> micros(RedisClientType client) {
    return results
        .use(PenstockAlgorithm.TOKEN_BUCKET, client, SubjectWorkload.ALLOWED)
        .map(ServerUse::processMicros)
        .filter(micros -> micros > 0);
  }
}
