package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkSelection;
import io.github.penstock.benchmarks.plan.CaseGroup;
import io.github.penstock.benchmarks.plan.JmhOptions;
import io.github.penstock.benchmarks.result.MeasuredCase;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.testkit.server.TemporaryFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs groups of cases in JMH, one at a time, each in a separate JVM. Closing it removes its files.
 * Not safe for use by several threads.
 */
final class JmhRunner implements AutoCloseable {
  private final BenchmarkProfile profile;
  private final JmhOptions given;
  private final PrintWriter out;
  private final Path directory;

  JmhRunner(BenchmarkSelection selection, PrintWriter out, URI server) {
    this.profile = selection.profile();
    this.given = selection.given();
    this.out = out;
    try {
      directory = Files.createTempDirectory("penstock-bench");
      // A password belongs neither on a command line nor in a list of processes.
      Files.writeString(arguments(), "-Dpenstock.redis=" + server + "\n");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  List<MeasuredCase> run(CaseGroup group) {
    List<IterationStats> stats = group.cases().stream().map(IterationStats::new).toList();
    int iterations = 0;
    try (PrintStream log = new PrintStream(log().toFile(), StandardCharsets.UTF_8)) {
      OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
      for (RunResult result : new Runner(options(group).build(), format).run()) {
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
          for (IterationResult each : fork.getIterationResults()) {
            stats.get(iterations++ % stats.size()).add(each);
          }
        }
        if (given.profiles()) {
          print(result.getSecondaryResults());
        }
      }
    } catch (RunnerException | IOException failure) {
      iterations = 0;
    }
    OrderlyStop.check();
    return iterations >= stats.size()
        ? stats.stream().map(IterationStats::measured).toList()
        : failed(group);
  }

  /* One that fails must not spoil the others: each is tried alone. */
  private List<MeasuredCase> failed(CaseGroup group) {
    if (group.size() == 1) {
      return List.of(MeasuredCase.failed(group.cases().get(0), complaint()));
    }
    return group.alone().stream().flatMap(each -> run(each).stream()).toList();
  }

  static void endForks() {
    ProcessHandle.current()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains("jmh.runner.ForkedMain"))
        .forEach(ProcessHandle::destroy);
  }

  @Override
  public void close() {
    TemporaryFiles.delete(directory);
  }

  private ChainedOptionsBuilder options(CaseGroup group) {
    ChainedOptionsBuilder options =
        given
            .over(profile, group)
            .mode(group.counted() ? Mode.Throughput : Mode.SampleTime)
            .timeUnit(group.counted() ? TimeUnit.SECONDS : TimeUnit.MICROSECONDS)
            .threads(group.threads())
            .jvmArgsAppend("@" + arguments())
            .shouldFailOnError(true);
    return options.param("client", group.client().name()).param("cases", group.names());
  }

  @SuppressWarnings("rawtypes")
  private void print(Map<String, Result> others) {
    out.println();
    others.forEach(
        (name, result) -> {
          out.printf(
              Locale.ROOT, "%30s %,.3f %s%n", name, result.getScore(), result.getScoreUnit());
          out.print(result.extendedInfo());
        });
    out.flush();
  }

  /** The first line of a fork's error output. */
  private String complaint() {
    try {
      return Files.readAllLines(log()).stream()
          .filter(line -> line.contains("Exception") || line.contains("Error"))
          .findFirst()
          .orElse("no result")
          .strip();
    } catch (IOException unreadable) {
      return "no result";
    }
  }

  private Path arguments() {
    return directory.resolve("jvm-arguments");
  }

  private Path log() {
    return directory.resolve("jmh.log");
  }
}
