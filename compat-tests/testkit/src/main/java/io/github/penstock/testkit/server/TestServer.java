package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.resp.RespVersion;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A running server. Safe for use by several threads. */
public interface TestServer extends AutoCloseable {
  /** How long connecting to it, or one answer, may take. */
  Duration TIMEOUT = Duration.ofSeconds(30);

  /** The name by which it was asked for, such as {@code embedded} or {@code redis-8.0}. */
  String name();

  /** Where it is. */
  RedisUrl url();

  /** Ends the server, if it was started here. */
  @Override
  void close();

  /** A new connection in RESP2, which the caller closes. */
  default RespConnection connect() {
    return connect(RespVersion.RESP2);
  }

  /** A new connection, which the caller closes. */
  default RespConnection connect(RespVersion version) {
    return RespConnection.open(url(), version, TIMEOUT);
  }

  /**
   * Sends one command over a separate connection.
   *
   * @throws IllegalStateException if it is answered with an error
   */
  default @Nullable Object call(String... command) {
    try (RespConnection connection = connect()) {
      Object answer = connection.call(command);
      if (answer instanceof RespError error) {
        throw new IllegalStateException(
            String.join(" ", command) + " on " + url() + ": " + error.text());
      }
      return answer;
    }
  }

  /** The product and version that the server itself states, such as {@code redis 7.0.15}. */
  default String version() {
    try (RespConnection connection = connect()) {
      String info = String.valueOf(connection.call("INFO", "server"));
      Matcher valkey = Pattern.compile("valkey_version:(\\S+)").matcher(info);
      if (valkey.find()) {
        return "valkey " + valkey.group(1);
      }
      Matcher redis = Pattern.compile("redis_version:(\\S+)").matcher(info);
      return redis.find() ? "redis " + redis.group(1) : "a server of unknown version";
    }
  }

  /** True from Redis 7.0 on: the server has FUNCTION and FCALL. */
  default boolean hasFunctions() {
    return !version().startsWith("redis 6.");
  }
}
