package io.github.penstock.benchmarks.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.plan.ServerCase;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.RunFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The page of a full run, without the two hours: every case has figures, drawn by lot. It stays in
 * {@code target/report}, where continuous integration has a browser check it.
 */
class FilledReportTest {
  private static final List<RedisClientType> ALL = Arrays.asList(RedisClientType.values());
  private final Random random = new Random(1);

  @Test
  @DisplayName("Every chapter of a full run has its tables, and every row its cells")
  void everything() throws Exception {
    ReportFiles files = new ReportFiles(Path.of("target", "report"), "bench");
    files.write(new BenchReport(everyCase(), ALL, RunFacts.here(), 0).report(true));
    String page = Files.readString(files.html());
    assertThat(found(page, "<h2>([^<]+)"))
        .containsExactly(
            "Which algorithm, through which client?",
            "How does it compare with other limiters?",
            "What is gained by answering without a trip?",
            "What is gained by not waiting for each decision?",
            "What does a decision cost the server?",
            "How to repeat this");
    assertThat(found(page, "<td class=\"n\">(NaN|null|-1)<")).isEmpty();
    assertThat(found(page, "<summary>([^<]+)"))
        .contains(
            "Decisions about one subject",
            "Calls under several limits on the server",
            "What each gives up");
  }

  private static List<String> found(String page, String pattern) {
    return Pattern.compile(pattern)
        .matcher(page)
        .results()
        .map((MatchResult each) -> each.group(1))
        .toList();
  }

  private BenchmarkResults everyCase() {
    BenchmarkResults results = new BenchmarkResults();
    BenchmarkProfile.FULL.cases(ALL).forEach(each -> results.put(measured(each)));
    ScriptCase.all(true).forEach(each -> results.scripts().add(cost(each)));
    for (ReservationCase each : ReservationCase.values()) {
      results.reservations().put(each, 4 + random.nextDouble());
    }
    BenchmarkProfile.FULL.serverCases(ALL).forEach(each -> results.server().add(use(each)));
    return results;
  }

  private MeasuredCase measured(BenchmarkCase what) {
    List<Double> iterations = random.doubles(8, 30_000, 33_000).boxed().toList();
    double micros = what.threads() * 1e6 / iterations.get(0);
    return new MeasuredCase(what, iterations, micros, micros * 3, micros * 9, 1_200, 0.01, null);
  }

  private ScriptCost cost(ScriptCase call) {
    double micros = call.isFloor() ? 3 : 4 + random.nextInt(call.tiers());
    return new ScriptCost(call, micros);
  }

  private ServerUse use(ServerCase what) {
    double micros = 3 + random.nextInt(9);
    return new ServerUse(what, micros, micros + 20, 4, 210, 60, 109, 110, null);
  }
}
