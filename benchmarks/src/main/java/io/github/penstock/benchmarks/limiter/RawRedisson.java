package io.github.penstock.benchmarks.limiter;

import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.redisson.Bucket4jRedisson;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.redisson.RedissonRateLimiters;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RBatch;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScript;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.config.Config;

/** Redisson as it is without settings: a pool of 24 to 64 connections. */
final class RawRedisson implements RawClient {
  private final RedissonClient client;
  private final RScript scripts;

  RawRedisson(BenchmarkTarget target) {
    URI uri = URI.create(target.uri());
    Config config = new Config();
    config
        .useSingleServer()
        .setAddress(uri.getScheme() + "://" + uri.getRawAuthority())
        .setDatabase(target.url().database());
    client = Redisson.create(config);
    scripts = client.getScript(ByteArrayCodec.INSTANCE);
  }

  RRateLimiter rateLimiter(String name) {
    return client.getRateLimiter(name);
  }

  @Override
  public @Nullable Object ping() {
    CommandAsyncExecutor commands = ((Redisson) client).getCommandExecutor();
    return commands.get(commands.readAsync("", StringCodec.INSTANCE, RedisCommands.PING));
  }

  @Override
  public String load(String source) {
    return scripts.scriptLoad(source);
  }

  @Override
  public @Nullable Object evalsha(String sha1, byte[][] keys, byte[][] arguments) {
    List<Object> names = Arrays.asList((Object[]) keys);
    return scripts.evalSha(
        RScript.Mode.READ_WRITE, sha1, RScript.ReturnType.LIST, names, (Object[]) arguments);
  }

  @Override
  public CompletionStage<?> evalshaAsync(String sha1, byte[][] keys, byte[][] arguments) {
    List<Object> names = Arrays.asList((Object[]) keys);
    return scripts.evalShaAsync(
        RScript.Mode.READ_WRITE, sha1, RScript.ReturnType.LIST, names, (Object[]) arguments);
  }

  @Override
  public void evalshaAll(String sha1, List<byte[][]> keys, byte[][] arguments) {
    RBatch batch = client.createBatch();
    RScriptAsync together = batch.getScript(ByteArrayCodec.INSTANCE);
    for (byte[][] each : keys) {
      List<Object> names = Arrays.asList((Object[]) each);
      together.evalShaAsync(
          RScript.Mode.READ_WRITE, sha1, RScript.ReturnType.LIST, names, (Object[]) arguments);
    }
    batch.execute();
  }

  @Override
  public RateLimiters limiters(RateLimiterOptions options) {
    return RedissonRateLimiters.using(client, options);
  }

  @Override
  public ProxyManager<String> bucket4j() {
    return Bucket4jRedisson.casBasedBuilder(((Redisson) client).getCommandExecutor())
        .expirationAfterWrite(BUCKET4J_EXPIRATION)
        .build();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
