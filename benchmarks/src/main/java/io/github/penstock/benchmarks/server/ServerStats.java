package io.github.penstock.benchmarks.server;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's own counters at one moment (INFO), without those of INFO itself.
 *
 * @param counts the counts by name; the executions of a command, including those within scripts,
 *     and its microseconds, a script's with its commands', as {@code get.calls} and {@code
 *     get.usec}
 */
public record ServerStats(Map<String, Double> counts) {
  private static final Pattern COUNT =
      Pattern.compile(
          "(?m)^(?:cmdstat_(?!info:)([^:]+):calls=(\\d+),usec=(\\d+)|(\\w+):(\\d+(?:\\.\\d+)?)\\s)");

  /** Reads the counts of commands; {@code info} answers INFO of a section. */
  public static ServerStats ofCommands(UnaryOperator<String> info) {
    return read(info.apply("commandstats"));
  }

  static ServerStats ofAll(UnaryOperator<String> info) {
    return read(
        String.join("\n", info.apply("stats"), info.apply("cpu"), info.apply("commandstats")));
  }

  private static ServerStats read(String info) {
    Map<String, Double> counts = new HashMap<>();
    Matcher count = COUNT.matcher(info);
    while (count.find()) {
      if (count.group(1) == null) {
        counts.put(count.group(4), Double.valueOf(count.group(5)));
      } else {
        counts.put(count.group(1) + ".calls", Double.valueOf(count.group(2)));
        counts.put(count.group(1) + ".usec", Double.valueOf(count.group(3)));
      }
    }
    return new ServerStats(counts);
  }

  /** The counts since an earlier moment. */
  public ServerStats since(ServerStats before) {
    Map<String, Double> difference = new HashMap<>(counts);
    difference.replaceAll((name, count) -> count - before.count(name));
    return new ServerStats(difference);
  }

  double commands() {
    return counts.keySet().stream()
        .filter(name -> name.endsWith(".calls"))
        .mapToDouble(this::count)
        .sum();
  }

  /** Calls of scripts and functions. */
  double scripts() {
    return count("eval.calls") + count("evalsha.calls") + count("fcall.calls");
  }

  /** Microseconds of scripts and functions. */
  double scriptMicros() {
    return count("eval.usec") + count("evalsha.usec") + count("fcall.usec");
  }

  /**
   * Microseconds of scripts and functions, and of the GETs that no script made.
   *
   * @param getsOfScripts how many GETs each script call makes
   */
  double commandMicros(int getsOfScripts) {
    double gets = count("get.calls");
    double alone = Math.max(0, gets - getsOfScripts * scripts());
    return scriptMicros() + (alone == 0 ? 0 : count("get.usec") * alone / gets);
  }

  /**
   * Calls of scripts, and of the GETs that no script made.
   *
   * @param what the candidate that made them
   */
  public double trips(BenchmarkCandidate what) {
    double gets = what.sendsGets() ? count("get.calls") : 0;
    return scripts() + Math.max(0, gets - scripts());
  }

  /** Microseconds of processor time of the process. */
  double processorMicros() {
    return (count("used_cpu_sys") + count("used_cpu_user")) * 1e6;
  }

  /** A single counter, by its name; 0 if the server does not have it. */
  double count(String name) {
    return counts.getOrDefault(name, 0.0);
  }
}
