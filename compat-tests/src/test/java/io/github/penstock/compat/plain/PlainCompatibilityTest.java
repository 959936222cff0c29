package io.github.penstock.compat.plain;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;

class PlainCompatibilityTest extends RateLimiterCompatibilityTest {
  @Override
  protected String client() {
    return "socket 1.0";
  }

  @Override
  protected RateLimiters connect(Endpoint endpoint, RateLimiterOptions options) {
    if (endpoint instanceof Endpoint.Single single) {
      return PlainRateLimiters.connect(single.url(), options);
    }
    throw new UnsupportedOperationException("plain sockets know single servers only");
  }
}
