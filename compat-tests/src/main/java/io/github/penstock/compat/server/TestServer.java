package io.github.penstock.compat.server;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.resp.RespVersion;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running server. Safe for use by several threads. */
public interface TestServer extends AutoCloseable {
  /** How long connecting to it, or one answer, may take. */
  Duration TIMEOUT = Duration.ofSeconds(10);

  /** What it was asked for as, such as {@code embedded} or {@code redis-8.0}. */
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
