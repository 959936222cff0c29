package io.github.penstock.benchmarks.server;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's own counters at one moment (INFO).
 *
 * @param commands its commands
 * @param processorMicros processor time of the process
 * @param bytesIn bytes received
 * @param bytesOut bytes sent
 * @param replicated bytes written to the replication stream
 */
record ServerStats(
    CommandStats commands, double processorMicros, long bytesIn, long bytesOut, long replicated) {

  /** Reads them; {@code info} answers INFO of a section. */
  static ServerStats read(UnaryOperator<String> info) {
    String stats = info.apply("stats");
    String cpu = info.apply("cpu");
    return new ServerStats(
        CommandStats.read(info),
        (number(cpu, "used_cpu_sys") + number(cpu, "used_cpu_user")) * 1e6,
        (long) number(stats, "total_net_input_bytes"),
        (long) number(stats, "total_net_output_bytes"),
        (long) number(info.apply("replication"), "master_repl_offset"));
  }

  /** The counts since an earlier moment. */
  ServerStats since(ServerStats before) {
    return new ServerStats(
        commands.since(before.commands),
        processorMicros - before.processorMicros,
        bytesIn - before.bytesIn,
        bytesOut - before.bytesOut,
        replicated - before.replicated);
  }

  private static double number(String info, String field) {
    Matcher line = Pattern.compile("(?m)^" + field + ":([0-9.]+)").matcher(info);
    return line.find() ? Double.parseDouble(line.group(1)) : 0;
  }
}
