package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.ReportFiles;
import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.ServerSource;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One run of everything, step by step, with the figures written after each. */
final class Bench {
  private final Server server;
  private final @Nullable ServerSource source;
  private final Profile profile;
  private final List<Client> clients;
  private final GivenOptions given;
  private final Facts facts;
  private final ReportFiles files;
  private final PrintWriter out;
  private final Results results = new Results();

  /**
   * On a server.
   *
   * @param source what more servers can be started from, null if the server is somebody else's
   */
  Bench(
      Server server,
      @Nullable ServerSource source,
      Profile profile,
      List<Client> clients,
      GivenOptions given,
      Facts facts,
      ReportFiles files,
      PrintWriter out) {
    this.server = server;
    this.source = source;
    this.profile = profile;
    this.clients = clients;
    this.given = given;
    this.facts = facts;
    this.files = files;
    this.out = out;
  }

  /** Measures, and reports what was measured even if it is stopped. */
  void run() {
    Thread stopForks = new Thread(JmhRunner::endForks, "stop-forks");
    Runtime.getRuntime().addShutdownHook(stopForks);
    boolean complete = false;
    try {
      measure();
      Runtime.getRuntime().removeShutdownHook(stopForks);
      complete = true;
    } finally {
      if (!complete) {
        out.println();
        facts.add("Unfinished", "it ended before everything was measured");
      }
      report();
    }
  }

  private void measure() {
    RedisUrl url = RedisUrl.parse(server.url().toString());
    try (Target target = Target.at(url);
        JmhRunner runner =
            new JmhRunner(profile, given, out, server.url(), target, source != null);
        ReplicatedServer replicated = source == null ? null : ReplicatedServer.start(source)) {
      Steps all = new Steps(profile, url, results);
      if (!given.choose()) {
        all.scripts(executable()).uses(clients, replicated);
      }
      List<Step> steps = all.cases(clients, given, runner).list();
      Progress progress =
          new Progress(
              out,
              steps.size(),
              steps.stream().mapToDouble(Step::seconds).sum(),
              System.console() != null);
      steps.forEach(step -> take(step, progress));
      facts.add("Took", took(progress.elapsed()));
    }
  }

  private void take(Step step, Progress progress) {
    CleanStop.check();
    progress.begin(step.label(), step.seconds());
    progress.end(figure(step, progress));
    if (!results.isEmpty()) {
      files.write(facts, results);
    }
  }

  /* One that fails does not spoil the others. */
  private static String figure(Step step, Progress progress) {
    try {
      return step.work().apply(progress);
    } catch (Complaint stopped) {
      throw stopped;
    } catch (RuntimeException failure) {
      CleanStop.check();
      return "failed: " + failure.getMessage();
    }
  }

  private @Nullable Executable executable() {
    return source instanceof EmbeddedServer embedded ? embedded.executable() : (Executable) source;
  }

  private static String took(Duration elapsed) {
    return String.format(
        Locale.ROOT, "%d min %02d s", elapsed.toMinutes(), elapsed.toSecondsPart());
  }

  /* A report of an earlier run is worth more than an empty one. */
  private void report() {
    if (results.isEmpty()) {
      out.println("Nothing was measured, so no report is written.");
      return;
    }
    files.write(facts, results);
    files.write(new BenchReport(results, clients, facts).report());
    out.println("Figures: " + files.json());
    out.println("Report:  " + files.html());
  }
}
