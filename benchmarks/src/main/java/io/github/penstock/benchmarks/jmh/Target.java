package io.github.penstock.benchmarks.jmh;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.TestServers;
import io.github.penstock.core.RateLimiterOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A single server, and a prefix on it that nobody else has; closing it removes every key under the
 * prefix.
 *
 * @param url where the server is
 * @param prefix what every key begins with, 17 characters
 */
public record Target(RedisUrl url, String prefix) implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String SCAN_COUNT = "1000";

  /** A target at a server. */
  public static Target at(RedisUrl url) {
    return new Target(
        url, String.format(Locale.ROOT, "penstock-%08x", new SecureRandom().nextInt()));
  }

  /** A target at the server of {@code -Dpenstock.redis}, or else of {@link TestServers#one}. */
  static Target find() {
    String given = System.getProperty("penstock.redis");
    return at(given == null ? TestServers.one().url() : RedisUrl.parse(given));
  }

  /** Limits under this prefix, with a deadline that an overloaded machine does not reach. */
  public RateLimiterOptions options() {
    return RateLimiterOptions.defaults().prefix(prefix).deadline(Duration.ofSeconds(10));
  }

  /** The name of a key of a peer, with the subject as its hash tag. */
  public String key(String limiter, int subject) {
    return prefix + ":" + limiter + ":{" + Subjects.name(subject) + "}";
  }

  /** The server's URL with user, password and database. */
  URI uri() {
    String user = url.user() == null ? "" : url.user();
    String info = url.password() == null ? null : user + ":" + url.password();
    try {
      return new URI("redis", info, url.host(), url.port(), "/" + url.database(), null, null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a checked URL cannot be written again", e);
    }
  }

  /** A connection of its own, to look at the server. */
  public RespConnection connect() {
    return RespConnection.open(url, TIMEOUT);
  }

  /** Removes every key under the prefix. */
  @Override
  public void close() {
    try (RespConnection connection = connect()) {
      String cursor = "0";
      do {
        Object page = connection.call("SCAN", cursor, "MATCH", prefix + ":*", "COUNT", SCAN_COUNT);
        cursor = removed(connection, page);
      } while (!cursor.equals("0"));
    }
  }

  private static String removed(RespConnection connection, @Nullable Object page) {
    if (!(page instanceof List<?> parts) || !(parts.get(1) instanceof List<?> keys)) {
      throw new IllegalStateException("SCAN answered " + page);
    }
    for (Object key : keys) {
      connection.send("UNLINK", String.valueOf(key));
    }
    keys.forEach(key -> connection.receive());
    return String.valueOf(parts.get(0));
  }
}
