package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.jmh.OneProcessor;
import io.github.penstock.benchmarks.jmh.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs cases in JMH, one at a time, each in a JVM of its own. Closing it removes its files. Not
 * safe for use by several threads.
 */
final class JmhRunner implements AutoCloseable {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private final Profile profile;
  private final boolean oneProcessor;
  private final Path directory;

  /**
   * On a server.
   *
   * @param ours whether the server may be bound to one processor
   */
  JmhRunner(Profile profile, URI server, Target target, boolean ours) {
    this.profile = profile;
    this.oneProcessor = ours && OneProcessor.possible(target);
    try {
      directory = Files.createTempDirectory("penstock-bench");
      // A password belongs neither on a command line nor in a list of processes.
      Files.writeString(
          arguments(),
          "-Dpenstock.redis=" + server + "\n-D" + OneProcessor.ALLOWED + "=" + ours + "\n");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Measures a case; what goes wrong is in the answer. */
  Measured run(Case what) {
    try {
      Collection<RunResult> results = new Runner(options(what).build()).run();
      CleanStop.check();
      return results.isEmpty() ? Measured.failed(what, said()) : read(what, results);
    } catch (RunnerException failure) {
      CleanStop.check();
      return Measured.failed(what, said());
    }
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
    try {
      Files.deleteIfExists(arguments());
      Files.deleteIfExists(log());
      Files.deleteIfExists(directory);
    } catch (IOException left) {
      directory.toFile().deleteOnExit();
    }
  }

  private ChainedOptionsBuilder options(Case what) {
    Mode mode = what.question() == Question.ASYNC ? Mode.Throughput : Mode.SampleTime;
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(what.question().pattern())
            .mode(mode)
            .timeUnit(mode == Mode.Throughput ? TimeUnit.SECONDS : TimeUnit.MICROSECONDS)
            .threads(what.threads())
            .forks(1)
            .warmupIterations(profile.warmups())
            .warmupTime(TimeValue.seconds(profile.seconds()))
            .measurementIterations(profile.iterations())
            .measurementTime(TimeValue.seconds(profile.seconds()))
            .timeout(TimeValue.seconds(60))
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("@" + arguments())
            .shouldFailOnError(true)
            .output(log().toString());
    what.parameters().forEach(options::param);
    return options;
  }

  @SuppressWarnings("rawtypes")
  private Measured read(Case what, Collection<RunResult> results) {
    RunResult result = results.iterator().next();
    Statistics statistics = result.getPrimaryResult().getStatistics();
    Map<String, Result> others = result.getSecondaryResults();
    boolean sampled = what.question() != Question.ASYNC;
    double mean = sampled ? statistics.getMean() : 0;
    if (!(statistics.getMean() > 0)) {
      return Measured.failed(what, "no call ended in time");
    }
    return new Measured(
        what.question(),
        what.what(),
        what.client().title(),
        what.workload().name(),
        what.tiers(),
        what.threads(),
        oneProcessor && what.threads() == 1 && sampled,
        sampled ? what.threads() * 1e6 / mean : statistics.getMean(),
        mean,
        sampled ? statistics.getPercentile(50) : 0,
        sampled ? statistics.getPercentile(99) : 0,
        sampled ? statistics.getPercentile(99.9) : 0,
        others.entrySet().stream()
            .filter(other -> other.getKey().endsWith(ALLOCATED))
            .mapToDouble(other -> other.getValue().getScore())
            .findFirst()
            .orElse(0),
        null);
  }

  /** The first line of what a fork complained about. */
  private String said() {
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
