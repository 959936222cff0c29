package io.github.penstock.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Callee;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Workload;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.ReportFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchReportTest {
  private static final List<Client> ALL = Arrays.asList(Client.values());
  @TempDir private Path directory;

  @Test
  @DisplayName("A run that was stopped at once leaves a page that says so")
  void nothingMeasured() throws Exception {
    Facts facts = Facts.here().add("Unfinished", "it ended before everything was measured");
    assertThat(page(new Results(), facts))
        .contains("what is missing was not reached", "How to repeat this")
        .doesNotContain("<svg");
  }

  @Test
  @DisplayName("It says where a peer is ahead, and what a peer cannot do")
  void peers() throws Exception {
    Results results = new Results();
    results.put(ours(Client.JEDIS, Workload.ALLOWED, 40_000));
    results.put(bucket4j(Client.JEDIS, Workload.ALLOWED, 20_000));
    results.put(ours(Client.JEDIS, Workload.EXHAUSTED, 40_000));
    results.put(bucket4j(Client.JEDIS, Workload.EXHAUSTED, 48_000));
    assertThat(page(results, Facts.here()))
        .contains("Penstock makes 2.00 times (Jedis) as many decisions as Bucket4j.")
        .contains("Bucket4j makes 1.20 times (Jedis) as many decisions as Penstock.")
        .contains("cannot: part of Redisson")
        .contains("<svg");
  }

  @Test
  @DisplayName("A run that was stopped says what it did not measure, not that it cannot be")
  void stopped() throws Exception {
    Results results = new Results();
    results.put(ours(Client.JEDIS, Workload.ALLOWED, 40_000));
    results.put(bucket4j(Client.JEDIS, Workload.ALLOWED, 20_000));
    Facts facts = Facts.here().add("Unfinished", "it ended before everything was measured");
    assertThat(page(results, facts))
        .contains("There is nothing of Lettuce, Redisson.")
        .contains("No bar: not measured in this run, or it cannot be used with that client.");
  }

  @Test
  @DisplayName("A ratio to the floor under the goal is behind; a failed case says why in its cell")
  void floors() throws Exception {
    Results results = new Results();
    results.put(ours(Client.LETTUCE, Workload.ALLOWED, 45_000));
    results.put(measured(Case.floor(Client.LETTUCE, Floor.SAME_COMMANDS, 8), 50_000));
    results.put(measured(Case.floor(Client.LETTUCE, Floor.TOKEN_BUCKET, 8), 46_875));
    results.put(Measured.failed(Case.floor(Client.LETTUCE, Floor.PING, 8), "it broke"));
    assertThat(page(results, Facts.here()))
        .contains(
            "the token bucket makes 0.96 times (Lettuce) as many decisions: what the adapter adds")
        .contains("<b>behind</b> <span>The token bucket makes 0.90 times (Lettuce)")
        .contains("it broke")
        .contains("Some figures are of only 1 round")
        .doesNotContain("And beside other limiters?");
  }

  @Test
  @DisplayName("Calls in flight stand beside the same commands and beside their own script")
  void inFlight() throws Exception {
    Results results = new Results();
    results.put(measured(inFlight(Callee.PENSTOCK), 30_000));
    results.put(measured(inFlight(Callee.SAME_COMMANDS), 40_000));
    results.put(measured(inFlight(Callee.TOKEN_BUCKET_RAW), 25_000));
    assertThat(page(results, Facts.here()))
        .contains("makes 0.75 times as many decisions as the same server commands")
        .contains("1.20 times as many as its own script sent so")
        .contains("Batches and calls in flight", "of the script raw");
  }

  private static Case inFlight(Callee callee) {
    return Case.async(Client.REDISSON, Algorithm.TOKEN_BUCKET, callee);
  }

  @Test
  @DisplayName("One-thread figures that were not bound to one processor are not quoted")
  void oneThread() throws Exception {
    Results results = new Results();
    Case alone = Case.algorithm(Client.JEDIS, Algorithm.TOKEN_BUCKET, Workload.ALLOWED, 1, 1);
    results.put(measured(alone, 12_345));
    assertThat(page(results, Facts.here())).contains("not quoted").doesNotContain("12,345");
  }

  private String page(Results results, Facts facts) throws Exception {
    ReportFiles files = new ReportFiles(directory, "bench");
    files.write(new BenchReport(results, ALL, facts).report());
    return Files.readString(files.html());
  }

  private static Measured ours(Client client, Workload workload, double perSecond) {
    return measured(Case.algorithm(client, Algorithm.TOKEN_BUCKET, workload, 1, 8), perSecond);
  }

  private static Measured bucket4j(Client client, Workload workload, double perSecond) {
    return measured(Case.peer(client, Contender.BUCKET4J, workload, 8), perSecond);
  }

  private static Measured measured(Case what, double perSecond) {
    double micros = what.threads() * 1e6 / perSecond;
    return Measured.of(what, false, List.of(perSecond), micros, micros * 3, micros * 9, 1_200);
  }
}
