package io.github.penstock.lettuce;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.ClientVersion;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.support.AsyncPool;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Rate limiters on Lettuce, blocking and asynchronous: of a single server, a cluster, or the master
 * that Sentinel names.
 *
 * <p>{@code connect} creates a separate client; {@code using} takes a connection of the
 * application, with any codec and options, and never closes it. In both cases a call waits for a
 * missing connection, is written at most once, even if Lettuce repeats commands after losing the
 * connection, and is answered or abandoned within its deadline. Safe for use by several threads; a
 * blocking call must not be made on a thread of Lettuce's own, which it would keep from reading the
 * answer.
 */
public final class LettuceRateLimiters extends AsyncTransportRateLimiters {
  private static final String NEEDED = "io.lettuce.core.AbstractRedisClient#getResources";

  private LettuceRateLimiters(
      ScriptTransport transport,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close) {
    super(transport, options, passwords, close);
  }

  /**
   * Connects to a single server, a cluster, or the master that Sentinel names. It connects in the
   * background; while that fails, calls end as {@link RateLimiterOptions#onUnavailable()} says.
   * With {@link RateLimiterOptions#peekOnReplicas()} replicas are found, too, and preferred for
   * peeks.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][/database]}, {@code
   *     redis-cluster://...} or {@code redis-sentinel://...}, {@code rediss} for TLS, as {@link
   *     ServerUri} describes it
   * @throws IllegalArgumentException if the URI is invalid
   * @throws IllegalStateException if this Lettuce is too old; the message contains the remedy
   */
  public static LettuceRateLimiters connect(String uri, RateLimiterOptions options) {
    requireVersion();
    OwnConnection own = OwnConnection.of(ServerUri.parse(uri), options);
    return new LettuceRateLimiters(own.transport(), options, KnownPasswords.of(uri), own.close());
  }

  /**
   * Uses the application's connection, and never closes it. The connection's {@code ReadFrom}, if
   * it has one, decides where a peek goes. The limiters keep this connection; if the application
   * may replace it, use {@link #using(Supplier, RateLimiterOptions)}.
   */
  public static LettuceRateLimiters using(
      StatefulRedisConnection<?, ?> connection, RateLimiterOptions options) {
    return given(connection, options);
  }

  /**
   * Uses the application's connection to a cluster, and never closes it. The connection's {@code
   * ReadFrom} decides where a peek goes.
   */
  public static LettuceRateLimiters using(
      StatefulRedisClusterConnection<?, ?> connection, RateLimiterOptions options) {
    return given(connection, options);
  }

  /**
   * Uses the application's current connection, and never closes it: for a connection that is
   * replaced, as a framework's factory does.
   *
   * @param connections returns a {@link StatefulRedisConnection} or {@link
   *     StatefulRedisClusterConnection}; called at once, and again, on a separate thread, while the
   *     last one is closed or not connected. It may block, and may throw
   */
  public static LettuceRateLimiters using(
      Supplier<? extends StatefulConnection<?, ?>> connections, RateLimiterOptions options) {
    requireVersion();
    Objects.requireNonNull(connections, "connections");
    GivenConnections given = new GivenConnections(connections);
    SuppliedTransport transport = new SuppliedTransport(given, ScriptCommand::failureOf);
    Runnable close =
        () -> {
          transport.close();
          given.close();
        };
    return new LettuceRateLimiters(transport, options, KnownPasswords.none(), close);
  }

  /**
   * Uses the application's pool, and never closes the pool or its connections. While all
   * connections are lent, a call tries again until its deadline; if it gets none, it was not sent.
   */
  @SuppressWarnings("unchecked")
  public static LettuceRateLimiters using(
      AsyncPool<? extends StatefulRedisConnection<?, ?>> pool, RateLimiterOptions options) {
    requireVersion();
    AsyncPool<?> lender = Objects.requireNonNull(pool, "pool");
    AsyncPool<StatefulConnection<byte[], byte[]>> connections =
        (AsyncPool<StatefulConnection<byte[], byte[]>>) lender;
    return new LettuceRateLimiters(
        new PoolTransport(connections), options, KnownPasswords.none(), () -> {});
  }

  /** For the suite. */
  ScriptTransport transport() {
    return limitersTransport();
  }

  private static LettuceRateLimiters given(
      StatefulConnection<?, ?> connection, RateLimiterOptions options) {
    requireVersion();
    Objects.requireNonNull(connection, "connection");
    ReconnectFailures failures = new ReconnectFailures(connection.getResources());
    ScriptTransport transport = GivenConnections.transport(connection, failures);
    return new LettuceRateLimiters(transport, options, KnownPasswords.none(), failures::close);
  }

  private static void requireVersion() {
    String setting = "<lettuce.version>7.7.0.RELEASE</lettuce.version>";
    ClientVersion.require("Lettuce 6.0.0", setting, AbstractRedisClient.class, NEEDED);
  }
}
