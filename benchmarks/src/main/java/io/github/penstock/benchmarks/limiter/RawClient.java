package io.github.penstock.benchmarks.limiter;

import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A connected client: its own calls, which are the floor, and factories of limiters on it. Safe for
 * use by several threads.
 */
interface RawClient extends AutoCloseable {
  /** How long Bucket4j keeps a bucket on every client, as its documentation says. */
  ExpirationAfterWriteStrategy BUCKET4J_EXPIRATION =
      ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(10));

  /** PING. */
  @Nullable Object ping();

  /** SCRIPT LOAD: the name by which the script is called. */
  String load(String source);

  /** EVALSHA by the client's own means, the way its documentation calls a script. */
  @Nullable Object evalsha(String sha1, byte[][] keys, byte[][] arguments);

  /** One EVALSHA for each of the keys, sent together; returns when all are answered. */
  void evalshaAll(String sha1, List<byte[][]> keys, byte[][] arguments);

  /** Penstock's limiters on this client; the caller closes them. */
  RateLimiters limiters(RateLimiterOptions options);

  /** Bucket4j's proxy manager on this client, built as its documentation says. */
  ProxyManager<String> bucket4j();

  /**
   * {@link #evalsha} without waiting.
   *
   * @throws UnsupportedOperationException if the client is not asynchronous
   */
  default CompletionStage<?> evalshaAsync(String sha1, byte[][] keys, byte[][] arguments) {
    throw new UnsupportedOperationException("this client is not asynchronous");
  }

  @Override
  void close();
}
