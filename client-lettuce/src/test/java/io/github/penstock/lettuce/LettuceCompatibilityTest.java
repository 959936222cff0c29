package io.github.penstock.lettuce;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.lettuce.core.RedisClient;
import java.util.List;
import java.util.stream.Collectors;

class LettuceCompatibilityTest extends RateLimiterCompatibilityTest {
  @Override
  protected String client() {
    String version = RedisClient.class.getPackage().getImplementationVersion();
    return "lettuce " + version.replaceFirst("\\.RELEASE.*", "");
  }

  @Override
  protected RateLimiters connect(Endpoint endpoint, RateLimiterOptions options) {
    if (endpoint instanceof Endpoint.Cluster cluster) {
      return LettuceRateLimiters.connectCluster("redis://" + hosts(cluster.nodes()), options);
    }
    if (endpoint instanceof Endpoint.Sentinel sentinel) {
      String uri = "redis-sentinel://" + hosts(sentinel.sentinels()) + "#" + sentinel.masterName();
      return LettuceRateLimiters.connect(uri, options);
    }
    return LettuceRateLimiters.connect(((Endpoint.Single) endpoint).uri(), options);
  }

  private static String hosts(List<RedisUrl> nodes) {
    return nodes.stream()
        .map(node -> node.host() + ":" + node.port())
        .collect(Collectors.joining(","));
  }
}
