package io.github.penstock.benchmarks.limiter;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A single server, and a unique prefix on it; closing it removes every key under the prefix.
 *
 * @param url where the server is
 * @param prefix the prefix of every key, 17 characters
 */
public record BenchmarkTarget(RedisUrl url, String prefix) implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String SCAN_COUNT = "1000";

  public static BenchmarkTarget at(RedisUrl url) {
    return new BenchmarkTarget(
        url, String.format(Locale.ROOT, "penstock-%08x", new SecureRandom().nextInt()));
  }

  /**
   * A target at the server of {@code -Dpenstock.redis}, or else at an embedded one, one for each
   * JVM.
   */
  public static BenchmarkTarget find() {
    String given = System.getProperty("penstock.redis");
    return at(given == null ? ForkServer.URL : RedisUrl.parse(given));
  }

  private static final class ForkServer {
    static final RedisUrl URL = new EmbeddedServer().start().url();
  }

  /**
   * Limits under this prefix, with a deadline that an overloaded machine does not reach; every call
   * asks, and has a trip of its own.
   */
  public RateLimiterOptions options() {
    return nearOptions().toBuilder().rememberDenials(Duration.ZERO).shareTrips(false).build();
  }

  /** The variant that remembers denials and shares trips, as by default. */
  RateLimiterOptions nearOptions() {
    return RateLimiterOptions.builder().prefix(prefix).deadline(Duration.ofSeconds(10)).build();
  }

  /** The name of a key of a peer, with the subject as its hash tag. */
  String key(String limiter, int subject) {
    return prefix + ":" + limiter + ":{" + SubjectWorkload.name(subject) + "}";
  }

  /** The server's URI with user, password and database. */
  String uri() {
    return new ServerEndpoint.Single(url).uri();
  }

  public RespConnection connect() {
    return RespConnection.open(url, TIMEOUT);
  }

  /** Reads the server's counters with something that asks INFO for a section. */
  public <T> T read(Function<UnaryOperator<String>, T> reader) {
    try (RespConnection connection = connect()) {
      return reader.apply(section -> String.valueOf(connection.call("INFO", section)));
    }
  }

  /** The bytes of memory of all keys under the prefix (MEMORY USAGE). */
  public long memory() {
    return forEachKey(key -> new String[] {"MEMORY", "USAGE", key, "SAMPLES", "0"});
  }

  /** Removes every key under the prefix. */
  @Override
  public void close() {
    forEachKey(key -> new String[] {"UNLINK", key});
  }

  /** Calls a command for each key, and adds up its answers. */
  private long forEachKey(Function<String, String[]> command) {
    try (RespConnection connection = connect()) {
      long sum = 0;
      String cursor = "0";
      do {
        Object page = connection.call("SCAN", cursor, "MATCH", prefix + ":*", "COUNT", SCAN_COUNT);
        if (!(page instanceof List<?> parts) || !(parts.get(1) instanceof List<?> keys)) {
          throw new IllegalStateException("SCAN answered " + page);
        }
        for (Object key : keys) {
          connection.send(command.apply(String.valueOf(key)));
        }
        for (Object key : keys) {
          sum += connection.receive() instanceof Long number ? number : 0;
        }
        cursor = String.valueOf(parts.get(0));
      } while (!cursor.equals("0"));
      return sum;
    }
  }
}
