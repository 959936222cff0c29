package io.github.penstock.redisson;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.lang.module.ModuleDescriptor.Version;
import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.config.Config;

class RedissonCompatibilityTest extends RateLimiterCompatibilityTest {
  /*
   * 4.7 has both. 4.0.0, 3.52.0 and 3.26.0 were seen to tell of a connection that is refused as of a
   * call that has no answer, and to need 20 s to find out that a connection has fallen silent.
   */
  private static final Version SINCE = Version.parse("4.7.0");

  @Override
  protected String client() {
    return "redisson " + version();
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

  @Override
  protected boolean provesNotSent() {
    return isCurrent();
  }

  @Override
  protected Duration longestRecovery() {
    return isCurrent() ? super.longestRecovery() : Duration.ofSeconds(25);
  }

  private static boolean isCurrent() {
    return Version.parse(version()).compareTo(SINCE) >= 0;
  }

  private static String version() {
    return Redisson.class.getPackage().getImplementationVersion();
  }

  private String address(RedisUrl node) {
    return "redis://" + node.host() + ":" + node.port();
  }
}
