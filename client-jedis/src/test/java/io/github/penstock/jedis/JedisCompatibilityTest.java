package io.github.penstock.jedis;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import redis.clients.jedis.RedisClient;

class JedisCompatibilityTest extends RateLimiterCompatibilityTest {
  @Override
  protected String client() {
    try (InputStream in = RedisClient.class.getResourceAsStream("pom.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return "jedis " + properties.getProperty("version");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
    return JedisRateLimiters.connect(endpoint.uri(), options);
  }

  @Override
  protected ScriptTransport transport(RateLimiters limiters) {
    return ((JedisRateLimiters) limiters).transport();
  }
}
