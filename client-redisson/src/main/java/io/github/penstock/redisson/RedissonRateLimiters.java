package io.github.penstock.redisson;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.ClientTransport;
import io.github.penstock.core.spi.connecting.ClientVersion;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.connecting.ServerUri;
import io.github.penstock.core.spi.connecting.SuppliedTransport;
import java.util.Objects;
import java.util.function.Supplier;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/**
 * Rate limiters on a Redisson client, blocking and asynchronous: of a single server, a cluster, the
 * master that Sentinel names, or replicated servers.
 *
 * <p>{@code connect} creates a separate client; {@code using} takes the one that the application
 * has, and never shuts it down. In both cases a call is sent once, regardless of the client's retry
 * settings, and ends within its deadline; at most 16,384 calls of a node wait at a time. Safe for
 * use by several threads; a blocking call must not be made on a thread of Redisson's own, which it
 * would keep from reading the answer.
 */
public final class RedissonRateLimiters extends AsyncTransportRateLimiters {
  private static final String NEEDED = "org.redisson.api.RedissonClient#getScript(OptionalOptions)";

  private RedissonRateLimiters(
      ScriptTransport transport,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close) {
    super(transport, options, passwords, close);
  }

  /**
   * Connects to a single server, a cluster, or the master that Sentinel names. It connects in the
   * background; while that fails, calls end as {@link RateLimiterOptions#onUnavailable()} says.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][/database]}, {@code
   *     redis-cluster://...} or {@code redis-sentinel://...}, {@code rediss} for TLS, as {@link
   *     ServerUri} describes it
   * @throws IllegalArgumentException if the URI is invalid
   * @throws IllegalStateException if this Redisson is too old; the message contains the remedy
   */
  public static RedissonRateLimiters connect(String uri, RateLimiterOptions options) {
    return connect(UriConfiguration.bounded(ServerUri.parse(uri), options), uri, options);
  }

  /** Connects as a configuration says, which is that of the URI except in tests. */
  static RedissonRateLimiters connect(Config config, String uri, RateLimiterOptions options) {
    requireVersion();
    TlsRefusals refusals = new TlsRefusals(options.deadline());
    config.setUseScriptCache(false).setNettyHook(refusals);
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              RedissonClient client = created(config, refusals);
              return new ClientTransport(
                  new RedissonTransport(client, options, refusals), () -> true, client::shutdown);
            },
            RedissonFailures::of);
    return new RedissonRateLimiters(transport, options, KnownPasswords.of(uri), transport::close);
  }

  private static RedissonClient created(Config config, TlsRefusals refusals) {
    try {
      return Redisson.create(config);
    } catch (RedisException e) {
      throw refusals.told(e);
    }
  }

  /** Uses the application's client, and never shuts it down. */
  public static RedissonRateLimiters using(RedissonClient client, RateLimiterOptions options) {
    requireVersion();
    Objects.requireNonNull(client, "client");
    return new RedissonRateLimiters(
        new RedissonTransport(client, options, null), options, KnownPasswords.none(), () -> {});
  }

  /**
   * Uses the application's current client, and never shuts it down.
   *
   * @param clients called at once, and again, on a separate thread, while the last client is shut
   *     down. It may block, and may throw
   */
  public static RedissonRateLimiters using(
      Supplier<? extends RedissonClient> clients, RateLimiterOptions options) {
    requireVersion();
    Objects.requireNonNull(clients, "clients");
    SuppliedTransport transport =
        new SuppliedTransport(
            () -> {
              RedissonClient client =
                  Objects.requireNonNull(clients.get(), "the supplier returned null");
              return ClientTransport.of(
                  new RedissonTransport(client, options, null), () -> !client.isShuttingDown());
            },
            RedissonFailures::of);
    return new RedissonRateLimiters(transport, options, KnownPasswords.none(), transport::close);
  }

  /** For the suite. */
  ScriptTransport transport() {
    return limitersTransport();
  }

  private static void requireVersion() {
    String setting = "<redisson.version>4.7.0</redisson.version>";
    ClientVersion.require("Redisson 3.26.0", setting, RedissonClient.class, NEEDED);
  }
}
