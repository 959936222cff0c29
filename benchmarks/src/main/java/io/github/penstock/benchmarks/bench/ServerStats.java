package io.github.penstock.benchmarks.bench;

import io.github.penstock.compat.resp.RespConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's own counters at one moment (INFO).
 *
 * @param calls how often each command was executed, those within scripts included
 * @param micros microseconds that each command took; a script's include its commands'
 * @param processorMicros processor time of the process
 * @param bytesIn bytes received
 * @param bytesOut bytes sent
 * @param replicated bytes written to the replication stream
 */
record ServerStats(
    Map<String, Long> calls,
    Map<String, Long> micros,
    double processorMicros,
    long bytesIn,
    long bytesOut,
    long replicated) {
  private static final Pattern COMMAND =
      Pattern.compile("cmdstat_([^:]+):calls=(\\d+),usec=(\\d+)");

  static ServerStats read(RespConnection connection) {
    Map<String, Long> calls = new HashMap<>();
    Map<String, Long> micros = new HashMap<>();
    Matcher command = COMMAND.matcher(info(connection, "commandstats"));
    while (command.find()) {
      if (!command.group(1).equals("info")) {
        calls.put(command.group(1), Long.valueOf(command.group(2)));
        micros.put(command.group(1), Long.valueOf(command.group(3)));
      }
    }
    String stats = info(connection, "stats");
    String cpu = info(connection, "cpu");
    return new ServerStats(
        calls,
        micros,
        (number(cpu, "used_cpu_sys") + number(cpu, "used_cpu_user")) * 1e6,
        (long) number(stats, "total_net_input_bytes"),
        (long) number(stats, "total_net_output_bytes"),
        (long) number(info(connection, "replication"), "master_repl_offset"));
  }

  /** What was counted since an earlier moment. */
  ServerStats since(ServerStats before) {
    return new ServerStats(
        minus(calls, before.calls),
        minus(micros, before.micros),
        processorMicros - before.processorMicros,
        bytesIn - before.bytesIn,
        bytesOut - before.bytesOut,
        replicated - before.replicated);
  }

  /** Commands executed, those within scripts included. */
  long commands() {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Microseconds of scripts and functions, and of the GETs that no script made.
   *
   * @param getsOfScripts how many GETs each script call makes
   */
  double commandMicros(int getsOfScripts) {
    double scripts = 0;
    long scriptCalls = 0;
    for (String verb : new String[] {"eval", "evalsha", "fcall"}) {
      scripts += micros.getOrDefault(verb, 0L);
      scriptCalls += calls.getOrDefault(verb, 0L);
    }
    long gets = calls.getOrDefault("get", 0L);
    long alone = Math.max(0, gets - getsOfScripts * scriptCalls);
    return gets == 0 || alone == 0
        ? scripts
        : scripts + (double) micros.getOrDefault("get", 0L) * alone / gets;
  }

  private static Map<String, Long> minus(Map<String, Long> now, Map<String, Long> before) {
    Map<String, Long> difference = new HashMap<>();
    now.forEach(
        (command, count) -> difference.put(command, count - before.getOrDefault(command, 0L)));
    return difference;
  }

  private static String info(RespConnection connection, String section) {
    return String.valueOf(connection.call("INFO", section));
  }

  private static double number(String info, String field) {
    Matcher line = Pattern.compile("(?m)^" + field + ":([0-9.]+)").matcher(info);
    return line.find() ? Double.parseDouble(line.group(1)) : 0;
  }
}
