package io.github.penstock.redisson;

import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.resp.RespError;
import io.github.penstock.compat.server.TestServer;
import org.redisson.config.Config;

/** What a test asks of a server beside the client that it tests. */
final class Served {
  private Served() {}

  /** Sends one command to a server. */
  static Object command(TestServer server, String... command) {
    try (RespConnection connection = server.connect()) {
      Object answer = connection.call(command);
      if (answer instanceof RespError error) {
        throw new IllegalStateException(String.join(" ", command) + ": " + error);
      }
      return answer;
    }
  }

  /** How often a server has executed a command without an error. */
  static long executed(TestServer server, String command) {
    String line = statistics(server, command);
    return line == null ? 0 : number(line, "calls=") - number(line, "failed_calls=");
  }

  private static String statistics(TestServer server, String command) {
    return String.valueOf(command(server, "INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .findFirst()
        .orElse(null);
  }

  private static long number(String line, String name) {
    return Long.parseLong(line.replaceAll(".*[:,]" + name + "(\\d+).*", "$1"));
  }

  /** A client's configuration with everything as Redisson has it unless told. */
  static Config config(String address) {
    Config config = new Config();
    config.useSingleServer().setAddress(address).setConnectionMinimumIdleSize(2);
    return config;
  }

  static String address(TestServer server) {
    return "redis://127.0.0.1:" + server.url().port();
  }
}
