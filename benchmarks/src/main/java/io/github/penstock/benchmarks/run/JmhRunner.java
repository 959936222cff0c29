package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.jmh.ProcessorPinning;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
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
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Mode;
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
  private final boolean oneProcessor;
  private final Path directory;

  /**
   * On a server.
   *
   * @param ours whether the server may be bound to one processor
   */
  JmhRunner(
      BenchmarkSelection selection,
      PrintWriter out,
      URI server,
      BenchmarkTarget target,
      boolean ours) {
    this.profile = selection.profile();
    this.given = selection.given();
    this.out = out;
    this.oneProcessor = ours && ProcessorPinning.possible(target);
    try {
      directory = Files.createTempDirectory("penstock-bench");
      // A password belongs neither on a command line nor in a list of processes.
      Files.writeString(
          arguments(),
          "-Dpenstock.redis=" + server + "\n-D" + ProcessorPinning.ALLOWED + "=" + ours + "\n");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Measures a group; failures are in the answers.
   *
   * @param round called after each round, from another thread, with the results so far
   */
  List<MeasuredCase> run(CaseGroup group, Consumer<List<MeasuredCase>> round) {
    boolean bound = oneProcessor && group.threads() == 1 && !group.asynchronous();
    IterationListener iterations = new IterationListener(group, bound, round);
    try (PrintStream log = new PrintStream(log().toFile(), StandardCharsets.UTF_8)) {
      OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
      Collection<RunResult> results =
          new Runner(options(group).build(), iterations.before(format)).run();
      if (given.profiles()) {
        results.forEach(result -> print(result.getSecondaryResults()));
      }
    } catch (RunnerException | IOException failure) {
      OrderlyStop.check();
      return failed(group, round);
    }
    OrderlyStop.check();
    return iterations.complete() ? iterations.measured() : failed(group, round);
  }

  /* One that fails must not spoil the others: each is tried alone. */
  private List<MeasuredCase> failed(CaseGroup group, Consumer<List<MeasuredCase>> round) {
    if (group.size() == 1) {
      return List.of(MeasuredCase.failed(group.cases().get(0), complaint()));
    }
    return group.alone().stream().flatMap(each -> run(each, round).stream()).toList();
  }

  /** Ends the JVMs that measure. */
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
