package io.github.penstock.glide;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.topology.ServerEndpoint;

@GlidePlatform
class GlideCompatibilityTest extends RateLimiterCompatibilityTest {
  static {
    GlideVersion.silenceLog();
  }

  @Override
  protected String client() {
    return "glide " + GlideVersion.found();
  }

  @Override
  protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
    if (!(endpoint instanceof ServerEndpoint.Single)) {
      throw new UnsupportedOperationException(
          "GLIDE sends a call to a cluster again by itself, and asks no sentinels");
    }
    return GlideRateLimiters.connect(endpoint.uri(), options);
  }

  @Override
  protected ScriptTransport transport(RateLimiters limiters) {
    return ((GlideRateLimiters) limiters).transport();
  }
}
