package io.github.penstock.lettuce;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.TestServer;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the tests ask of a server by a connection of their own. */
final class Servers {
  private Servers() {}

  static Object call(TestServer server, String... command) {
    try (RespConnection connection = server.connect()) {
      return connection.call(command);
    }
  }

  /** Calls that the server counted under {@code command}, in lower case. */
  static long calls(TestServer server, String command) {
    String stats = String.valueOf(call(server, "INFO", "commandstats"));
    Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(stats);
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  /** Skips a test about looks on replicas with a Lettuce that always sends them to the master. */
  static void assumeLooksOnReplicas() {
    assumeTrue(
        Stream.of(CommandType.values()).anyMatch(type -> type.name().equals("EVALSHA_RO")),
        "this version of Lettuce does not know EVALSHA_RO, so looks go to the master");
  }

  static void await(Duration atMost, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + atMost);
      }
      Thread.sleep(20);
    }
  }
}
