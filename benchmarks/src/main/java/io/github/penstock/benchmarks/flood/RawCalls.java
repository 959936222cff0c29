package io.github.penstock.benchmarks.flood;

import glide.api.GlideClient;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.configuration.NodeAddress;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.scripts.LuaScript;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.redisson.Redisson;
import org.redisson.api.RScript;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;

/**
 * A token bucket's script that clients send by their own means, with the deadline as the time-out,
 * and with pools as large as those of the adapters.
 */
final class RawCalls {
  private static final int CONNECTIONS = 64;
  private static final int IN_FLIGHT = 100_000;

  private final URI uri;
  private final boolean cluster;
  private final int deadlineMs;
  private final String source = LuaScript.TOKEN_BUCKET.source();
  private final String key;
  private final List<String> arguments = new ArrayList<>(List.of("1"));

  RawCalls(String uri, String subject, Limit limit, long deadlineMs) {
    this.uri = URI.create(uri);
    cluster = uri.startsWith("redis-cluster:");
    key = "flood:{" + subject + "}";
    arguments.addAll(LimitEncoding.of(limit).arguments());
    this.deadlineMs = (int) deadlineMs;
  }

  /**
   * What makes one call, which fails if it is not answered within the deadline. Another thread
   * makes the client.
   *
   * @param blocks whether a call has ended when its stage is returned; it does with Jedis
   * @param warm whether the client is waited for, and answers a call
   */
  Supplier<CompletionStage<?>> by(String client, boolean blocks, boolean warm) throws Exception {
    CompletableFuture<Supplier<CompletionStage<?>>> made =
        CompletableFuture.supplyAsync(
            () ->
                switch (client) {
                  case "jedis" -> jedis();
                  case "lettuce" -> lettuce();
                  case "redisson" -> redisson();
                  case "glide" -> glide();
                  default -> throw new IllegalArgumentException("form: " + client);
                });
    if (warm) {
      made.get().get().handle((answer, late) -> true).toCompletableFuture().get();
    }
    return () -> blocks ? awaited(made) : sent(made).orTimeout(deadlineMs, TimeUnit.MILLISECONDS);
  }

  private static CompletableFuture<?> sent(CompletableFuture<Supplier<CompletionStage<?>>> made) {
    return made.thenCompose(Supplier::get);
  }

  private CompletableFuture<?> awaited(CompletableFuture<Supplier<CompletionStage<?>>> made) {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMs);
    try {
      made.get(deadlineMs, TimeUnit.MILLISECONDS);
      return CompletableFuture.completedFuture(
          sent(made).get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS));
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @SuppressWarnings("deprecation")
  private Supplier<CompletionStage<?>> jedis() {
    HostAndPort node = new HostAndPort(uri.getHost(), uri.getPort());
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .timeoutMillis(deadlineMs)
            .ssl(uri.getScheme().equals("rediss"))
            .build();
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setMaxWait(Duration.ofMillis(deadlineMs));
    UnifiedJedis jedis =
        cluster
            ? redis.clients.jedis.RedisClusterClient.builder()
                .nodes(Set.of(node))
                .clientConfig(config)
                .poolConfig(pool)
                .build()
            : redis.clients.jedis.RedisClient.builder()
                .hostAndPort(node)
                .clientConfig(config)
                .poolConfig(pool)
                .build();
    return () -> CompletableFuture.completedFuture(jedis.eval(source, List.of(key), arguments));
  }

  private Supplier<CompletionStage<?>> lettuce() {
    RedisURI address =
        RedisURI.builder()
            .withHost(uri.getHost())
            .withPort(uri.getPort())
            .withSsl(uri.getScheme().equals("rediss"))
            .build();
    String[] keys = {key};
    String[] values = arguments.toArray(String[]::new);
    if (cluster) {
      StatefulRedisClusterConnection<String, String> nodes =
          RedisClusterClient.create(address).connect();
      return () -> nodes.async().eval(source, ScriptOutputType.MULTI, keys, values);
    }
    StatefulRedisConnection<String, String> connection = RedisClient.create(address).connect();
    return () -> connection.async().eval(source, ScriptOutputType.MULTI, keys, values);
  }

  private Supplier<CompletionStage<?>> redisson() {
    Config config = new Config();
    String address = (cluster ? "redis" : uri.getScheme()) + "://" + uri.getAuthority();
    BaseConfig<?> servers =
        cluster
            ? config.useClusterServers().addNodeAddress(address)
            : config.useSingleServer().setAddress(address);
    servers.setRetryAttempts(0).setTimeout(deadlineMs);
    RScript scripts =
        Redisson.create(config).getScript(org.redisson.client.codec.StringCodec.INSTANCE);
    return () ->
        scripts.evalAsync(
            key,
            RScript.Mode.READ_WRITE,
            source,
            RScript.ReturnType.LIST,
            List.of(key),
            arguments.toArray());
  }

  private Supplier<CompletionStage<?>> glide() {
    if (!uri.getScheme().equals("redis")) {
      throw new IllegalArgumentException("GLIDE needs cells with a single server without TLS");
    }
    GlideClient glide =
        GlideClient.createClient(
                GlideClientConfiguration.builder()
                    .address(NodeAddress.builder().host(uri.getHost()).port(uri.getPort()).build())
                    .requestTimeout(deadlineMs)
                    .inflightRequestsLimit(IN_FLIGHT)
                    .build())
            .join();
    List<String> words = new ArrayList<>(List.of("EVAL", source, "1", key));
    words.addAll(arguments);
    return () -> glide.customCommand(words.toArray(String[]::new));
  }
}
