package io.github.penstock.operations.server;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.Locale;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.ScanIteration;

/**
 * A unique key prefix; closing it removes every key that begins with it.
 *
 * @param prefix 17 characters that a key prefix may have
 */
public record TemporaryKeys(RedisClient client, String prefix) implements AutoCloseable {
  private static final int SCAN_COUNT = 1_000;

  public TemporaryKeys(RedisClient client) {
    this(client, String.format(Locale.ROOT, "penstock-%08x", new SecureRandom().nextInt()));
  }

  @Override
  public void close() {
    ScanIteration own = client.scanIteration(SCAN_COUNT, prefix + ":*");
    while (!own.isIterationCompleted()) {
      Collection<String> keys = own.nextBatchList();
      if (!keys.isEmpty()) {
        client.unlink(keys.toArray(String[]::new));
      }
    }
  }
}
