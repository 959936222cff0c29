package io.github.penstock.redisson;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import org.redisson.Redisson;
import org.redisson.config.Config;

class RedissonCompatibilityTest extends RateLimiterCompatibilityTest {
  @Override
  protected String client() {
    return "redisson " + Redisson.class.getPackage().getImplementationVersion();
  }

  @Override
  protected RateLimiters connect(Endpoint endpoint, RateLimiterOptions options) {
    if (endpoint instanceof Endpoint.Single single) {
      return RedissonRateLimiters.connect(single.uri(), options);
    }
    Config config = new Config();
    if (endpoint instanceof Endpoint.Cluster cluster) {
      config
          .useClusterServers()
          .addNodeAddress(cluster.nodes().stream().map(this::address).toArray(String[]::new));
    }
    if (endpoint instanceof Endpoint.Sentinel sentinel) {
      config
          .useSentinelServers()
          .setMasterName(sentinel.masterName())
          .addSentinelAddress(
              sentinel.sentinels().stream().map(this::address).toArray(String[]::new));
    }
    return RedissonRateLimiters.connect(config, options);
  }

  private String address(RedisUrl node) {
    return "redis://" + node.host() + ":" + node.port();
  }
}
