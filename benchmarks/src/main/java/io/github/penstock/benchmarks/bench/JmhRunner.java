package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.jmh.OneProcessor;
import io.github.penstock.benchmarks.jmh.Target;
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
 * Runs groups of cases in JMH, one at a time, each in a JVM of its own. Closing it removes its
 * files. Not safe for use by several threads.
 */
final class JmhRunner implements AutoCloseable {
  private final Profile profile;
  private final GivenOptions given;
  private final PrintWriter out;
  private final boolean oneProcessor;
  private final Path directory;

  /**
   * On a server.
   *
   * @param ours whether the server may be bound to one processor
   */
  JmhRunner(
      Profile profile,
      GivenOptions given,
      PrintWriter out,
      URI server,
      Target target,
      boolean ours) {
    this.profile = profile;
    this.given = given;
    this.out = out;
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

  /**
   * Measures a group; what goes wrong is in the answers.
   *
   * @param round called after each round, from another thread, with what is known then
   */
  List<Measured> run(Group group, Consumer<List<Measured>> round) {
    boolean bound = oneProcessor && group.threads() == 1 && !group.asynchronous();
    Turns turns = new Turns(group, bound, round);
    try (PrintStream log = new PrintStream(log().toFile(), StandardCharsets.UTF_8)) {
      OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
      Collection<RunResult> results =
          new Runner(options(group).build(), turns.heardFrom(format)).run();
      if (given.profiles()) {
        results.forEach(result -> print(result.getSecondaryResults()));
      }
    } catch (RunnerException | IOException failure) {
      CleanStop.check();
      return failed(group, round);
    }
    CleanStop.check();
    return turns.complete() ? turns.measured() : failed(group, round);
  }

  /* One that fails must not spoil the others: each is tried alone. */
  private List<Measured> failed(Group group, Consumer<List<Measured>> round) {
    if (group.size() == 1) {
      String said = said();
      return group.cases().stream().map(each -> Measured.failed(each, said)).toList();
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
    try {
      Files.deleteIfExists(arguments());
      Files.deleteIfExists(log());
      Files.deleteIfExists(directory);
    } catch (IOException left) {
      directory.toFile().deleteOnExit();
    }
  }

  private ChainedOptionsBuilder options(Group group) {
    Mode mode = group.asynchronous() ? Mode.Throughput : Mode.SampleTime;
    ChainedOptionsBuilder options =
        given
            .over(profile, group)
            .mode(mode)
            .timeUnit(group.asynchronous() ? TimeUnit.SECONDS : TimeUnit.MICROSECONDS)
            .threads(group.threads())
            .jvmArgsAppend("@" + arguments())
            .shouldFailOnError(true)
            .param("client", group.client().name());
    Map<String, String> first = group.cases().get(0).parameters();
    return group.asynchronous()
        ? options.param("algorithm", first.get("algorithm")).param("callee", group.callees())
        : options.param("turns", group.turns());
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
