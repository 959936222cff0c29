package io.github.penstock.jedis;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;

class JedisCompatibilityTest extends RateLimiterCompatibilityTest {
  private static final JedisClientConfig CONFIG = DefaultJedisClientConfig.builder().build();

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
  protected RateLimiters connect(Endpoint endpoint, RateLimiterOptions options) {
    if (endpoint instanceof Endpoint.Single single) {
      return JedisRateLimiters.connect(single.uri(), options);
    }
    if (endpoint instanceof Endpoint.Cluster cluster) {
      return JedisRateLimiters.connectCluster(nodes(cluster.nodes()), CONFIG, options);
    }
    Endpoint.Sentinel sentinel = (Endpoint.Sentinel) endpoint;
    return JedisRateLimiters.connectSentinel(
        sentinel.masterName(), nodes(sentinel.sentinels()), CONFIG, CONFIG, options);
  }

  private static Set<HostAndPort> nodes(List<RedisUrl> urls) {
    return urls.stream()
        .map(url -> new HostAndPort(url.host(), url.port()))
        .collect(Collectors.toUnmodifiableSet());
  }
}
