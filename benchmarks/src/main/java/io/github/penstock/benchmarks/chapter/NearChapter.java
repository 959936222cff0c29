package io.github.penstock.benchmarks.chapter;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.NearCost;
import io.github.penstock.benchmarks.result.RoundRatio;
import io.github.penstock.report.DataTable;
import io.github.penstock.report.ReportChapter;
import io.github.penstock.report.text.NumberText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Decisions about one subject, with and without a trip for each. */
final class NearChapter extends BenchChapter {
  private static final List<Integer> THREADS =
      List.of(BenchmarkProfile.THREADS, BenchmarkProfile.MANY_THREADS);
  private static final String TO_BUCKET4J = "%s, as a ratio to Bucket4j without its optimisations";
  private static final double MOST_NANOS = 100;
  private static final double COUNTABLE = 0.01;

  NearChapter(BenchmarkResults results, List<RedisClientType> clients) {
    super(results, clients);
  }

  @Override
  ReportChapter chapter() {
    ReportChapter chapter =
        new ReportChapter(
            "What is gained by answering without a trip?",
            "Everybody asks for one subject: one that is denied, or one that is allowed. Trips are calls of scripts and GETs, by the server's count.");
    goal("Denials from memory", 100, SubjectWorkload.EXHAUSTED, TripSaving.REMEMBERED, chapter);
    goal(
        "One hot subject, leases of 100", 100, SubjectWorkload.HOT, TripSaving.LEASED_100, chapter);
    goal("One hot subject, leases of 10", 10, SubjectWorkload.HOT, TripSaving.LEASED_10, chapter);
    costs(chapter);
    return chapter.add(table()).add(losses()).add(costTable());
  }

  private void goal(
      String what,
      double bound,
      SubjectWorkload workload,
      TripSaving saving,
      ReportChapter chapter) {
    new BenchmarkGoal(TO_BUCKET4J.formatted(what), bound, true)
        .finding(ratios(workload, saving))
        .ifPresent(chapter::add);
  }

  private void costs(ReportChapter chapter) {
    Map<String, RoundRatio> nanos = new LinkedHashMap<>();
    Map<String, RoundRatio> bytes = new LinkedHashMap<>();
    for (NearCost with : remembering()) {
      asking(with)
          .ifPresent(
              without -> {
                String place = NumberText.count(with.subjects(), "subject");
                nanos.put(place, RoundRatio.exact(added(with, without), 1));
                double more = Math.rint(with.bytesPerCall() - without.bytesPerCall());
                bytes.put(place, RoundRatio.exact(more, 1));
              });
    }
    String added = " that remembering denials adds to a call that it does not help";
    new BenchmarkGoal("Nanoseconds" + added, MOST_NANOS, false)
        .finding(nanos)
        .ifPresent(chapter::add);
    new BenchmarkGoal("Bytes" + added, 0, false).finding(bytes).ifPresent(chapter::add);
  }

  private List<NearCost> remembering() {
    return results.nearCosts().stream().filter(NearCost::remembering).toList();
  }

  private Optional<NearCost> asking(NearCost with) {
    return results.nearCosts().stream()
        .filter(each -> !each.remembering() && each.subjects() == with.subjects())
        .findFirst();
  }

  private static double added(NearCost with, NearCost without) {
    return RoundRatio.median(
        IntStream.range(0, Math.min(with.turns().size(), without.turns().size()))
            .mapToObj(round -> with.turns().get(round) - without.turns().get(round))
            .toList());
  }

  private Map<String, RoundRatio> ratios(SubjectWorkload workload, TripSaving saving) {
    Map<String, RoundRatio> ratios = new LinkedHashMap<>();
    for (int threads : THREADS) {
      for (RedisClientType client : clients) {
        results
            .find(BenchmarkCase.near(client, saving, workload, threads))
            .flatMap(this::toBucket4j)
            .ifPresent(ratio -> ratios.put(client.title() + ", " + threads + " threads", ratio));
      }
    }
    return ratios;
  }

  private Optional<RoundRatio> toBucket4j(MeasuredCase ours) {
    BenchmarkCase what = ours.what();
    return results
        .find(
            BenchmarkCase.near(what.client(), TripSaving.BUCKET4J, what.workload(), what.threads()))
        .map(theirs -> RoundRatio.ofMedian(ours.turns(), theirs.turns()));
  }

  private DataTable table() {
    DataTable table =
        table(
            "Decisions about one subject",
            4,
            "client | the subject is | threads | how | a second | to Bucket4j",
            "trips per decision | bytes allocated");
    results.clients().stream()
        .filter(m -> m.what().question() == BenchmarkQuestion.NEAR)
        .forEach(
            m ->
                table.row(
                    m.what().client().title(),
                    m.what().workload() == SubjectWorkload.HOT ? "allowed" : "denied",
                    Integer.toString(m.what().threads()),
                    m.what().candidate().title(),
                    perSecond(m),
                    m.present() ? cell(toBucket4j(m)) : "",
                    trips(m),
                    count(m, m.bytesPerCall())));
    return table.note(
        "To Bucket4j: as a ratio to the decisions a second of Bucket4j without its optimisations, for the same subject, through the same client, with as many threads.");
  }

  private static String trips(MeasuredCase measured) {
    double trips = measured.tripsPerCall();
    if (!measured.present() || trips < 0) {
      return "";
    }
    return trips == 0
        ? "0"
        : trips < COUNTABLE ? "1 in " + NumberText.count(1 / trips) : NumberText.hundredths(trips);
  }

  private DataTable losses() {
    DataTable table = table("What each gives up", 2, "how | what a limit loses");
    for (TripSaving each : TripSaving.values()) {
      boolean measured = results.clients().stream().anyMatch(m -> m.what().candidate() == each);
      if (measured) {
        table.row(each.title(), each.givesUp());
      }
    }
    return table;
  }

  private DataTable costTable() {
    DataTable table =
        table(
            "What remembering denials costs an allowed call",
            1,
            "subjects | ns, every call asks | ns, denials are remembered | ns more",
            "bytes, every call asks | bytes, denials are remembered");
    for (NearCost with : remembering()) {
      asking(with)
          .ifPresent(
              without ->
                  table.row(
                      NumberText.count(with.subjects()),
                      NumberText.count(without.nanos()),
                      NumberText.count(with.nanos()),
                      NumberText.tenths(added(with, without)),
                      NumberText.tenths(without.bytesPerCall()),
                      NumberText.tenths(with.bytesPerCall())));
    }
    return table.note(
        "One thread, on a port that answers at once: all that is left is Penstock's own share, with and without by turns. As many other subjects were denied before.");
  }
}
