package io.github.penstock.compat.plain;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.topology.ServerEndpoint;

class PlainCompatibilityTest extends RateLimiterCompatibilityTest {
  @Override
  protected String client() {
    return "socket 1.0";
  }

  @Override
  protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
    if (endpoint instanceof ServerEndpoint.Single single && !single.encrypted()) {
      return PlainRateLimiters.connect(single.url(), options);
    }
    throw new UnsupportedOperationException("plain sockets know single servers without TLS only");
  }

  @Override
  protected ScriptTransport transport(RateLimiters limiters) {
    return ((PlainRateLimiters) limiters).transport();
  }
}
