package io.github.penstock.testkit.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often a server was asked for a command, by its own {@code INFO commandstats}.
 *
 * @param calls how often it began
 * @param failed how many of these it answered with an error; 0 before Redis 6.2
 * @param refused how often it did not even begin, as with a key of another node; 0 before Redis 6.2
 */
public record CommandCount(long calls, long failed, long refused) {
  /**
   * The count since the server was started.
   *
   * @param command such as {@code evalsha_ro}
   */
  public static CommandCount of(TestServer server, String command) {
    String statistics = String.valueOf(server.call("INFO", "commandstats"));
    Matcher line = Pattern.compile("(?mi)^cmdstat_" + command + ":(.*)$").matcher(statistics);
    String counts = line.find() ? line.group(1) : "";
    return new CommandCount(
        number(counts, "calls"), number(counts, "failed_calls"), number(counts, "rejected_calls"));
  }

  /** Returns how often it was run without an error. */
  public long executed() {
    return calls - failed;
  }

  private static long number(String counts, String name) {
    Matcher number = Pattern.compile("(?:^|,)" + name + "=(\\d+)").matcher(counts);
    return number.find() ? Long.parseLong(number.group(1)) : 0;
  }
}
