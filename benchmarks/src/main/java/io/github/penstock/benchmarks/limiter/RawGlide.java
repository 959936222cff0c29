package io.github.penstock.benchmarks.limiter;

import glide.api.GlideClient;
import glide.api.models.Batch;
import glide.api.models.GlideString;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.configuration.NodeAddress;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.glide.GlideRateLimiters;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Valkey GLIDE: one connection that all threads share. */
final class RawGlide implements RawClient {
  private static final int MILLIS = 10_000;
  private static final int IN_FLIGHT = 10_000;
  private static final GlideString EVALSHA = GlideString.of("EVALSHA");
  private final String uri;
  private final GlideClient client;

  RawGlide(BenchmarkTarget target) {
    uri = target.uri();
    NodeAddress address =
        NodeAddress.builder().host(target.url().host()).port(target.url().port()).build();
    client =
        GlideClient.createClient(
                GlideClientConfiguration.builder()
                    .address(address)
                    .requestTimeout(MILLIS)
                    .inflightRequestsLimit(IN_FLIGHT)
                    .build())
            .join();
  }

  @Override
  public @Nullable Object ping() {
    return client.ping().join();
  }

  @Override
  public String load(String source) {
    return String.valueOf(client.customCommand(new String[] {"SCRIPT", "LOAD", source}).join());
  }

  @Override
  public @Nullable Object evalsha(String sha1, byte[][] keys, byte[][] arguments) {
    Object answer = evalshaAsync(sha1, keys, arguments).join();
    return answer instanceof Object[] several ? Arrays.asList(several) : answer;
  }

  @Override
  public CompletableFuture<Object> evalshaAsync(String sha1, byte[][] keys, byte[][] arguments) {
    return client.customCommand(words(sha1, keys, arguments));
  }

  @Override
  public void evalshaAll(String sha1, List<byte[][]> keys, byte[][] arguments) {
    Batch batch = new Batch(false).withBinaryOutput();
    keys.forEach(each -> batch.customCommand(words(sha1, each, arguments)));
    client.exec(batch, true).join();
  }

  @Override
  public RateLimiters limiters(RateLimiterOptions options) {
    return GlideRateLimiters.connect(uri, options);
  }

  @Override
  public ProxyManager<String> bucket4j() {
    throw new UnsupportedOperationException(LimiterType.BUCKET4J.cannot(RedisClientType.GLIDE));
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GlideString[] words(String sha1, byte[][] keys, byte[][] arguments) {
    Stream<GlideString> head =
        Stream.of(EVALSHA, GlideString.of(sha1), GlideString.of(Integer.toString(keys.length)));
    Stream<GlideString> bytes = Stream.of(keys, arguments).flatMap(Stream::of).map(GlideString::of);
    return Stream.concat(head, bytes).toArray(GlideString[]::new);
  }
}
