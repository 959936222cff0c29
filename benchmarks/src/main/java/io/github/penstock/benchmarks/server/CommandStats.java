package io.github.penstock.benchmarks.server;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's count of its commands (INFO commandstats), without INFO itself.
 *
 * @param counts how often each command was executed, those within scripts included, and the
 *     microseconds that it took, a script's with its commands': {@code get.calls}, {@code get.usec}
 */
record CommandStats(Map<String, Long> counts) {
  private static final Pattern COMMAND =
      Pattern.compile("cmdstat_(?!info:)([^:]+):calls=(\\d+),usec=(\\d+)");

  /** Reads them; {@code info} answers INFO of a section. */
  static CommandStats read(UnaryOperator<String> info) {
    Map<String, Long> counts = new HashMap<>();
    Matcher command = COMMAND.matcher(info.apply("commandstats"));
    while (command.find()) {
      counts.put(command.group(1) + ".calls", Long.valueOf(command.group(2)));
      counts.put(command.group(1) + ".usec", Long.valueOf(command.group(3)));
    }
    return new CommandStats(counts);
  }

  /** The counts since an earlier moment. */
  CommandStats since(CommandStats before) {
    Map<String, Long> difference = new HashMap<>(counts);
    difference.replaceAll((name, count) -> count - before.count(name));
    return new CommandStats(difference);
  }

  /** Commands executed. */
  long commands() {
    return counts.keySet().stream()
        .filter(name -> name.endsWith(".calls"))
        .mapToLong(this::count)
        .sum();
  }

  /** Calls of scripts and functions. */
  long scripts() {
    return count("eval.calls") + count("evalsha.calls") + count("fcall.calls");
  }

  /** Microseconds of scripts and functions. */
  long scriptMicros() {
    return count("eval.usec") + count("evalsha.usec") + count("fcall.usec");
  }

  /**
   * Microseconds of scripts and functions, and of the GETs that no script made.
   *
   * @param getsOfScripts how many GETs each script call makes
   */
  double commandMicros(int getsOfScripts) {
    long gets = count("get.calls");
    long alone = Math.max(0, gets - getsOfScripts * scripts());
    return scriptMicros() + (alone == 0 ? 0 : (double) count("get.usec") * alone / gets);
  }

  private long count(String name) {
    return counts.getOrDefault(name, 0L);
  }
}
