package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.chapter.BenchReport;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.plan.BenchmarkSelection;
import io.github.penstock.benchmarks.result.BenchmarkResults;
import io.github.penstock.benchmarks.result.BenchmarkTables;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.testkit.resp.RedisUrl;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import redis.clients.jedis.RedisClient;

/** One run of everything, step by step, with the figures written after each. */
public final class BenchmarkRun {
  private static final int LONGEST = 2_000;
  private final BenchmarkSelection selection;
  private final RunFacts facts;
  private final ReportFiles files;
  private final PrintWriter out;
  private final BenchmarkResults results = new BenchmarkResults();
  private final List<String> failures = new ArrayList<>();
  private final long beginNanos = System.nanoTime();

  /** A run of which nothing has been measured yet. */
  public BenchmarkRun(
      BenchmarkSelection selection, RunFacts facts, ReportFiles files, PrintWriter out) {
    this.selection = selection;
    this.facts = facts;
    this.files = files;
    this.out = out;
  }

  /**
   * Measures, and reports the results even if it is stopped.
   *
   * @param server where the server is
   * @param client a client on it
   * @param ours whether the server has no other users
   */
  public void on(URI server, RedisClient client, boolean ours) {
    Thread stopForks = new Thread(JmhRunner::endForks, "stop-forks");
    Runtime.getRuntime().addShutdownHook(stopForks);
    boolean complete = false;
    try {
      measure(server, client, ours);
      Runtime.getRuntime().removeShutdownHook(stopForks);
      complete = true;
    } finally {
      if (!complete) {
        out.println();
        facts.add("Unfinished", "it ended before everything was measured");
      }
      report(complete);
    }
  }

  private void measure(URI server, RedisClient client, boolean ours) {
    try (BenchmarkTarget target = BenchmarkTarget.at(RedisUrl.parse(server.toString()));
        JmhRunner runner = new JmhRunner(selection, out, server)) {
      BenchmarkSteps all = new BenchmarkSteps(selection, target, results);
      if (!selection.given().choose()) {
        all.server(client, ours);
      }
      List<BenchmarkSteps.Step> steps = all.cases(runner).list();
      for (int i = 0; i < steps.size(); i++) {
        take(steps.get(i), "%3d/%d  ".formatted(i + 1, steps.size()) + steps.get(i).label());
      }
      if (failures.size() == steps.size()) {
        throw new UserErrorException("every step " + failures.get(0));
      }
      Duration took = Duration.ofNanos(System.nanoTime() - beginNanos);
      facts.add(
          "Took",
          String.format(Locale.ROOT, "%d min %02d s", took.toMinutes(), took.toSecondsPart()));
    }
  }

  private void take(BenchmarkSteps.Step step, String line) {
    OrderlyStop.check();
    out.print(line);
    out.flush();
    out.println("  " + figure(step));
    if (!results.isEmpty()) {
      files.write(facts, BenchmarkTables.json(results));
    }
  }

  /* One that fails does not spoil the others. */
  private String figure(BenchmarkSteps.Step step) {
    try {
      return step.work().get();
    } catch (UserErrorException stopped) {
      throw stopped;
    } catch (RuntimeException failure) {
      OrderlyStop.check();
      failures.add("failed: " + failure.getMessage());
      return failures.get(failures.size() - 1);
    }
  }

  /* A report of an earlier run is worth more than an empty one. */
  private void report(boolean complete) {
    if (results.isEmpty()) {
      out.println("Nothing was measured, so no report is written.");
      return;
    }
    files.write(facts, BenchmarkTables.json(results));
    BenchReport report = new BenchReport(results, selection.clients(), facts);
    files.write(report.report(complete));
    report.summary().lines().forEach(out::println);
    out.println(SafeText.terminal("Figures: " + files.json(), LONGEST));
    out.println(SafeText.terminal("Report:  " + files.html(), LONGEST));
  }
}
