package io.github.penstock.redisson;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.lang.module.ModuleDescriptor.Version;
import org.redisson.Redisson;

class RedissonCompatibilityTest extends RateLimiterCompatibilityTest {
  /*
   * 4.7 has both. 4.0.0, 3.52.0 and 3.26.0 were seen to tell of a connection that is refused as of a
   * call that has no answer. 3.26.0 was seen to keep silent connections for two minutes: it judges
   * one only if it is idle at a ping and at the next, and one that does not answer hardly ever is.
   */
  private static final Version SINCE = Version.parse("4.7.0");

  @Override
  protected String client() {
    return "redisson " + version();
  }

  @Override
  protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
    return RedissonRateLimiters.connect(endpoint.uri(), options);
  }

  @Override
  protected ScriptTransport transport(RateLimiters limiters) {
    return ((RedissonRateLimiters) limiters).transport();
  }

  @Override
  protected boolean provesNotSent() {
    return isCurrent();
  }

  @Override
  protected boolean hidesFailures() {
    return true;
  }

  @Override
  protected boolean replacesSilentConnections() {
    return isCurrent();
  }

  /* 3.26.0 was seen to know no node for a slot while it moved. */
  @Override
  protected boolean keepsSightOfMovingSlots() {
    return isCurrent();
  }

  @Override
  protected boolean sharesTripsInClusters() {
    return false;
  }

  private static boolean isCurrent() {
    return Version.parse(version()).compareTo(SINCE) >= 0;
  }

  private static String version() {
    return Redisson.class.getPackage().getImplementationVersion();
  }
}
