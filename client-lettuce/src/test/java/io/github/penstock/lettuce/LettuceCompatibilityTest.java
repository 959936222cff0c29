package io.github.penstock.lettuce;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.lettuce.core.LettuceVersion;
import java.util.List;
import java.util.stream.Collectors;

class LettuceCompatibilityTest extends RateLimiterCompatibilityTest {
  @Override
  protected String client() {
    return "lettuce " + LettuceVersion.getVersion().replaceFirst("(\\.RELEASE)?/.*", "");
  }

  @Override
  protected RateLimiters connect(Endpoint endpoint, RateLimiterOptions options) {
    if (endpoint instanceof Endpoint.Single single) {
      return LettuceRateLimiters.connect(single.uri(), options);
    }
    if (endpoint instanceof Endpoint.Cluster cluster) {
      return LettuceRateLimiters.connectCluster("redis://" + nodes(cluster.nodes()), options);
    }
    Endpoint.Sentinel sentinel = (Endpoint.Sentinel) endpoint;
    String uri = "redis-sentinel://" + nodes(sentinel.sentinels()) + "#" + sentinel.masterName();
    return LettuceRateLimiters.connect(uri, options);
  }

  private static String nodes(List<RedisUrl> urls) {
    return urls.stream().map(url -> url.host() + ":" + url.port()).collect(Collectors.joining(","));
  }
}
