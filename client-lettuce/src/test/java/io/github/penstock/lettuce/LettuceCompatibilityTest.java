package io.github.penstock.lettuce;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.lettuce.core.RedisClient;

class LettuceCompatibilityTest extends RateLimiterCompatibilityTest {
  @Override
  protected String client() {
    String version = RedisClient.class.getPackage().getImplementationVersion();
    return "lettuce " + version.replaceFirst("\\.RELEASE.*", "");
  }

  @Override
  protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
    return LettuceRateLimiters.connect(endpoint.uri(), options);
  }

  @Override
  protected ScriptTransport transport(RateLimiters limiters) {
    return ((LettuceRateLimiters) limiters).transport();
  }
}
