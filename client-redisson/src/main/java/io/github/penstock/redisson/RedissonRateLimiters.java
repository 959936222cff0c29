package io.github.penstock.redisson;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Limit;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.AsyncLimiters;
import io.github.penstock.core.spi.AwaitingPort;
import io.github.penstock.core.spi.Limiters;
import io.github.penstock.core.spi.ScriptRunner;
import io.github.penstock.core.spi.ScriptSource;
import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Rate limiters on a Redisson client, blocking and asynchronous: of a single server, a cluster, the
 * master that Sentinel names, or replicated servers.
 *
 * <p>{@code connect} makes a client of its own; {@code using} takes the one that the application
 * has, and never shuts it down. Either way a call is sent once, whatever the client's retry
 * settings are, and is over within its deadline; at most 16,384 calls wait for an answer at a time,
 * and one more fails at once. Safe for use by several threads; a blocking call must not be made on
 * a thread of Redisson's own, which it would keep from reading the answer.
 */
public final class RedissonRateLimiters implements RateLimiters, AsyncRateLimiters, ScriptSource {
  private static final Duration LOADING = Duration.ofSeconds(10);
  private final Limiters limiters;
  private final AsyncLimiters asyncLimiters;
  private final Runnable close;

  private RedissonRateLimiters(RedissonClient client, RateLimiterOptions options, Runnable close) {
    RedissonPort port = new RedissonPort(client, options);
    limiters = new Limiters(new AwaitingPort(port, LOADING), options);
    asyncLimiters = new AsyncLimiters(port, options);
    this.close = close;
  }

  /**
   * Connects to a single server with default options; see {@link #connect(String,
   * RateLimiterOptions)}.
   */
  public static RedissonRateLimiters connect(String uri) {
    return connect(uri, RateLimiterOptions.defaults());
  }

  /**
   * Connects to a single server.
   *
   * @param uri {@code redis://[[user]:password@]host[:port][/database]}, or {@code rediss://} for
   *     TLS
   * @throws IllegalArgumentException if the URI is none
   * @throws org.redisson.client.RedisConnectionException if the server does not answer
   */
  public static RedissonRateLimiters connect(String uri, RateLimiterOptions options) {
    return connect(SingleServer.config(uri, options), options);
  }

  /** Connects as {@code config} says, with default options. */
  public static RedissonRateLimiters connect(Config config) {
    return connect(config, RateLimiterOptions.defaults());
  }

  /**
   * Connects as {@code config} says: to a single server, a cluster, sentinels or replicated
   * servers.
   *
   * @param config it is copied; its time-outs and retries hold for connecting, not for calls
   * @throws org.redisson.client.RedisConnectionException if no server answers
   */
  public static RedissonRateLimiters connect(Config config, RateLimiterOptions options) {
    Config own = new Config(config).setUseScriptCache(false);
    RedissonClient client = Redisson.create(own);
    return new RedissonRateLimiters(client, options, client::shutdown);
  }

  /** Uses the application's client with default options. */
  public static RedissonRateLimiters using(RedissonClient client) {
    return using(client, RateLimiterOptions.defaults());
  }

  /** Uses the application's client, and never shuts it down. */
  public static RedissonRateLimiters using(RedissonClient client, RateLimiterOptions options) {
    return new RedissonRateLimiters(client, options, () -> {});
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return limiters.limiter(policy, limit);
  }

  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit) {
    return asyncLimiters.limiter(policy, limit);
  }

  @Override
  public void loadFunctions() {
    limiters.loadFunctions();
  }

  @Override
  public ScriptRunner scripts() {
    return limiters.scripts();
  }

  @Override
  public void close() {
    close.run();
  }
}
