package io.github.penstock.benchmarks.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.ServerCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.RunFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchReportTest {
  private static final double QUIET = 0;
  private static final List<RedisClientType> ALL = Arrays.asList(RedisClientType.values());
  @TempDir private Path directory;
  private final BenchmarkResults results = new BenchmarkResults();

  @Test
  @DisplayName("It opens with a row for each client, and how far one server goes with it")
  void summary() throws Exception {
    results.put(ours(RedisClientType.JEDIS, SubjectWorkload.ALLOWED, 40_000));
    results.put(ours(RedisClientType.LETTUCE, SubjectWorkload.ALLOWED, 20_000));
    results.put(
        measured(
            BenchmarkCase.bucket(RedisClientType.JEDIS, SubjectWorkload.ALLOWED, 64), 106_900));
    results.server().add(use(RedisClientType.JEDIS, 10));
    results.server().add(use(RedisClientType.LETTUCE, 12.5));
    assertThat(page(true))
        .containsSubsequence(
            "<h1>",
            "Token bucket, 8 threads",
            "<th scope=\"row\">Jedis",
            "<td class=\"n\">10.0</td><td class=\"n\">106,900</td>",
            "<td class=\"n\">12.5</td><td class=\"n\">80,000</td>",
            "a ratio above 1 is noise.",
            "<h2>");
  }

  @Test
  @DisplayName("A busy machine and few rounds are cautions")
  void cautions() throws Exception {
    results.put(ours(RedisClientType.JEDIS, SubjectWorkload.ALLOWED, 40_000));
    ReportFiles files = new ReportFiles(directory, "bench");
    files.write(new BenchReport(results, ALL, RunFacts.here(), 1_000).report(true));
    assertThat(Files.readString(files.html()))
        .contains("<b>caution</b> <span>The machine was busy", "Some figures are of only 1 round");
  }

  private static ServerUse use(RedisClientType client, double micros) {
    ServerCase what =
        new ServerCase(PenstockAlgorithm.TOKEN_BUCKET, client, SubjectWorkload.ALLOWED);
    return new ServerUse(what, 5, micros, 4, 1, 1, 1, 1, null);
  }

  @Test
  @DisplayName("A run that was stopped at once leaves a page that says so")
  void nothingMeasured() throws Exception {
    assertThat(page(false)).contains("what is missing was not measured", "How to repeat this");
  }

  @Test
  @DisplayName("Peers have their decisions and the ratio to them")
  void peers() throws Exception {
    results.put(ours(RedisClientType.JEDIS, SubjectWorkload.ALLOWED, 40_000));
    results.put(bucket4j(RedisClientType.JEDIS, SubjectWorkload.ALLOWED, 20_000));
    results.put(ours(RedisClientType.JEDIS, SubjectWorkload.EXHAUSTED, 40_000));
    results.put(bucket4j(RedisClientType.JEDIS, SubjectWorkload.EXHAUSTED, 48_000));
    assertThat(page(true))
        .contains("<td class=\"n\">20,000</td><td class=\"n\">2.00</td>")
        .contains("<td class=\"n\">48,000</td><td class=\"n\">0.83</td>");
  }

  @Test
  @DisplayName("A decision stands beside its floors; a failed case says why in its cell")
  void floors() throws Exception {
    results.put(ours(RedisClientType.LETTUCE, SubjectWorkload.ALLOWED, 45_000));
    results.put(
        measured(BenchmarkCase.floor(RedisClientType.LETTUCE, FloorCall.SAME_COMMANDS, 8), 50_000));
    results.put(
        measured(BenchmarkCase.floor(RedisClientType.LETTUCE, FloorCall.TOKEN_BUCKET, 8), 46_875));
    results.put(
        MeasuredCase.failed(
            BenchmarkCase.floor(RedisClientType.LETTUCE, FloorCall.PING, 8), "it broke"));
    assertThat(page(true))
        .contains("<td class=\"n\">0.90</td><td class=\"n\">0.96</td>")
        .contains("it broke")
        .doesNotContain("How does it compare with other limiters?");
  }

  @Test
  @DisplayName("Calls in flight stand beside the same commands and beside their own script")
  void inFlight() throws Exception {
    results.put(measured(inFlight(PenstockAlgorithm.TOKEN_BUCKET), 30_000));
    results.put(measured(inFlight(FloorCall.SAME_COMMANDS), 40_000));
    results.put(measured(inFlight(FloorCall.TOKEN_BUCKET), 25_000));
    assertThat(page(true))
        .contains("<td class=\"n\">0.75</td><td class=\"n\">1.20</td>")
        .contains("Batches and calls in flight", "to its raw script");
  }

  @Test
  @DisplayName(
      "Answers without a trip stand beside Bucket4j, with their trips and what they give up")
  void near() throws Exception {
    results.put(near(TripSaving.LEASED_100, SubjectWorkload.HOT, 500_000, 0.01));
    results.put(near(TripSaving.LEASED_10, SubjectWorkload.HOT, 45_000, 0.1));
    results.put(near(TripSaving.BUCKET4J, SubjectWorkload.HOT, 5_000, 7.5));
    results.put(near(TripSaving.DELAYING, SubjectWorkload.HOT, 1_000_000, 0));
    results.put(near(TripSaving.REMEMBERED, SubjectWorkload.EXHAUSTED, 4_000_000, 0.000_02));
    results.put(near(TripSaving.BUCKET4J, SubjectWorkload.EXHAUSTED, 50_000, 1));
    assertThat(page(true))
        .contains("Bucket4j, delaying", "<td class=\"n\">1,000,000</td><td class=\"n\">200.00</td>")
        .contains("<td class=\"n\">100.00</td><td class=\"n\">0.01</td>")
        .contains("<td class=\"n\">80.00</td><td class=\"n\">1 in 50,000</td>")
        .contains("each process may admit 100 units more than there are")
        .doesNotContain("skip on zero");
  }

  private static MeasuredCase near(
      TripSaving saving, SubjectWorkload workload, double perSecond, double trips) {
    BenchmarkCase what = BenchmarkCase.near(RedisClientType.JEDIS, saving, workload, 8);
    return new MeasuredCase(what, List.of(perSecond), 0, 0, 0, 200, trips, null);
  }

  private static BenchmarkCase inFlight(BenchmarkCandidate candidate) {
    return BenchmarkCase.async(RedisClientType.REDISSON, candidate);
  }

  private String page(boolean complete) throws Exception {
    ReportFiles files = new ReportFiles(directory, "bench");
    files.write(new BenchReport(results, ALL, RunFacts.here(), QUIET).report(complete));
    return Files.readString(files.html());
  }

  private static MeasuredCase ours(
      RedisClientType client, SubjectWorkload workload, double perSecond) {
    return measured(BenchmarkCase.bucket(client, workload, 8), perSecond);
  }

  private static MeasuredCase bucket4j(
      RedisClientType client, SubjectWorkload workload, double perSecond) {
    return measured(BenchmarkCase.peer(client, LimiterType.BUCKET4J, workload, 8), perSecond);
  }

  private static MeasuredCase measured(BenchmarkCase what, double perSecond) {
    double micros = what.threads() * 1e6 / perSecond;
    return new MeasuredCase(
        what, List.of(perSecond), micros, micros * 3, micros * 9, 1_200, -1, null);
  }
}
