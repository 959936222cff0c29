package io.github.penstock.benchmarks;

import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** A key prefix that nobody else has, and the end of every key under it. */
public final class OwnKeys implements AutoCloseable {
  private static final int SCAN_COUNT = 1_000;
  private final RedisClient client;
  private final String prefix =
      String.format(Locale.ROOT, "penstock-%08x", new SecureRandom().nextInt());

  public OwnKeys(RedisClient client) {
    this.client = client;
  }

  /** 17 characters that a key prefix may have. */
  public String prefix() {
    return prefix;
  }

  /** Removes every key that begins with the prefix. */
  @Override
  public void close() {
    ScanParams own = new ScanParams().match(prefix + ":*").count(SCAN_COUNT);
    String cursor = ScanParams.SCAN_POINTER_START;
    do {
      ScanResult<String> page = client.scan(cursor, own);
      List<String> keys = page.getResult();
      if (!keys.isEmpty()) {
        client.unlink(keys.toArray(String[]::new));
      }
      cursor = page.getCursor();
    } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
  }
}
