package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.DataTable;
import io.github.penstock.report.text.NumberText;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What decides first: how far one server goes, and which client is faster. */
final class ClientChoice {
  private static final double SECOND_US = 1e6;
  private static final int ROUNDED_TO = 1_000;
  private final BenchmarkResults results;
  private final List<RedisClientType> clients;

  ClientChoice(BenchmarkResults results, List<RedisClientType> clients) {
    this.results = results;
    this.clients = clients;
  }

  /**
   * In plain words.
   *
   * @param perSecond what the reader needs; 0 if that was not said
   */
  String sentence(long perSecond) {
    Optional<Double> most =
        clients.stream()
            .flatMap(client -> use(client).stream())
            .map(ServerUse::processMicros)
            .filter(micros -> micros > 0)
            .max(Comparator.naturalOrder());
    return most.map(micros -> capacity(micros, perSecond)).orElse("") + fastest();
  }

  private static String capacity(double micros, long perSecond) {
    double atMost = SECOND_US / micros;
    String share =
        perSecond == 0
            ? ""
            : "; your %s a second are %s of it"
                .formatted(
                    NumberText.count(perSecond),
                    NumberText.percent(perSecond, Math.max(perSecond, Math.round(atMost))));
    return "A decision takes %s µs of the server's one thread, network included: one server makes at most about %s a second%s. "
        .formatted(
            NumberText.tenths(micros),
            NumberText.count(Math.max(1, Math.floor(atMost / ROUNDED_TO)) * ROUNDED_TO),
            perSecond > atMost
                ? "; your " + NumberText.count(perSecond) + " a second need more servers than one"
                : share);
  }

  /* Faster is what is faster than each of the others by more than the run wavers. */
  private String fastest() {
    List<MeasuredCase> measured =
        clients.stream()
            .flatMap(client -> ours(client).stream())
            .sorted(Comparator.comparingDouble(MeasuredCase::perSecond).reversed())
            .toList();
    if (measured.size() < 2) {
      return "";
    }
    MeasuredCase first = measured.get(0);
    RoundRatio ahead = RoundRatio.ofMedian(first.turns(), measured.get(1).turns());
    double spread = results.widest().map(RoundRatio::spread).orElse(0.0);
    return ahead.isMore(spread)
        ? "%s makes the most decisions a second, %s times those of the next. Who has another client can keep it."
            .formatted(first.what().client().title(), NumberText.hundredths(ahead.value()))
        : "No client is faster than the next by more than this run wavers: take the one that you"
            + " have.";
  }

  DataTable table() {
    DataTable table =
        new DataTable(
            "Token bucket, 8 threads, 10,000 subjects",
            1,
            "client",
            "decisions a second here",
            "of the same commands sent raw",
            "99 % are faster than, µs",
            "µs of the server's thread");
    for (RedisClientType client : clients) {
      ours(client).ifPresent(m -> row(table, m));
    }
    return table;
  }

  private void row(DataTable table, MeasuredCase m) {
    Optional<Double> micros =
        use(m.what().client()).map(ServerUse::processMicros).filter(us -> us > 0);
    table.row(
        m.what().client().title(),
        NumberText.count(m.perSecond()),
        BenchChapter.cell(results.toSameCommands(m)),
        NumberText.count(m.p99Micros()),
        micros.map(NumberText::tenths).orElse(""));
  }

  private Optional<MeasuredCase> ours(RedisClientType client) {
    return results.find(
        BenchmarkCase.bucket(client, SubjectWorkload.ALLOWED, BenchmarkProfile.THREADS));
  }

  private Optional<ServerUse> use(RedisClientType client) {
    return results.use(PenstockAlgorithm.TOKEN_BUCKET, client, SubjectWorkload.ALLOWED);
  }
}
