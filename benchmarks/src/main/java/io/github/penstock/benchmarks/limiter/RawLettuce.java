package io.github.penstock.benchmarks.limiter;

import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lettuce: one connection that all threads share. */
final class RawLettuce implements RawClient {
  private final String uri;
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  RawLettuce(BenchmarkTarget target) {
    uri = target.uri();
    client = RedisClient.create(uri);
    connection = client.connect(ByteArrayCodec.INSTANCE);
  }

  @Override
  public @Nullable Object ping() {
    return connection.sync().ping();
  }

  @Override
  public String load(String source) {
    return connection.sync().scriptLoad(source);
  }

  @Override
  public @Nullable Object evalsha(String sha1, byte[][] keys, byte[][] arguments) {
    return connection.sync().evalsha(sha1, ScriptOutputType.MULTI, keys, arguments);
  }

  @Override
  public CompletionStage<?> evalshaAsync(String sha1, byte[][] keys, byte[][] arguments) {
    return connection.async().evalsha(sha1, ScriptOutputType.MULTI, keys, arguments);
  }

  /* Its own way to write several commands with one flush while other threads use the connection. */
  @Override
  public void evalshaAll(String sha1, List<byte[][]> keys, byte[][] arguments) {
    List<AsyncCommand<byte[], byte[], List<Object>>> commands = new ArrayList<>(keys.size());
    for (byte[][] each : keys) {
      CommandArgs<byte[], byte[]> words =
          new CommandArgs<>(ByteArrayCodec.INSTANCE).add(sha1).add(each.length).addKeys(each);
      words.addValues(arguments);
      commands.add(
          new AsyncCommand<>(
              new Command<>(
                  CommandType.EVALSHA, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), words)));
    }
    connection.dispatch(commands);
    commands.forEach(AsyncCommand::join);
  }

  @Override
  public RateLimiters limiters(RateLimiterOptions options) {
    return LettuceRateLimiters.connect(uri, options);
  }

  @Override
  public ProxyManager<String> bucket4j() {
    StatefulRedisConnection<String, byte[]> own =
        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    return Bucket4jLettuce.casBasedBuilder(own).expirationAfterWrite(BUCKET4J_EXPIRATION).build();
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
