package io.github.penstock.benchmarks.limiter;

import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.serialization.Mapper;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.jedis.JedisRateLimiters;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** Jedis: a pool that has a connection for every thread. */
final class RawJedis implements RawClient {
  private static final int CONNECTIONS = 64;
  private final RedisClient client;

  RawJedis(BenchmarkTarget target) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    client =
        RedisClient.builder()
            .hostAndPort(target.url().host(), target.url().port())
            .clientConfig(DefaultJedisClientConfig.builder(URI.create(target.uri())).build())
            .poolConfig(pool)
            .build();
  }

  @Override
  public @Nullable Object ping() {
    return client.ping();
  }

  @Override
  public String load(String source) {
    return client.scriptLoad(source);
  }

  @Override
  public @Nullable Object evalsha(String sha1, byte[][] keys, byte[][] arguments) {
    byte[] sha1Bytes = sha1.getBytes(StandardCharsets.US_ASCII);
    return client.evalsha(sha1Bytes, Arrays.asList(keys), Arrays.asList(arguments));
  }

  @Override
  public void evalshaAll(String sha1, List<byte[][]> keys, byte[][] arguments) {
    byte[] sha1Bytes = sha1.getBytes(StandardCharsets.US_ASCII);
    try (AbstractPipeline pipeline = client.pipelined()) {
      for (byte[][] each : keys) {
        pipeline.evalsha(sha1Bytes, Arrays.asList(each), Arrays.asList(arguments));
      }
      pipeline.sync();
    }
  }

  @Override
  public RateLimiters limiters(RateLimiterOptions options) {
    return JedisRateLimiters.using(client, options);
  }

  @Override
  public ProxyManager<String> bucket4j() {
    return Bucket4jJedis.casBasedBuilder(client)
        .expirationAfterWrite(BUCKET4J_EXPIRATION)
        .keyMapper(Mapper.STRING)
        .build();
  }

  @Override
  public void close() {
    client.close();
  }
}
