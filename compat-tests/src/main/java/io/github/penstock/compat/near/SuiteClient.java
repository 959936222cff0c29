package io.github.penstock.compat.near;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.topology.ServerEndpoint;

/**
 * The client that a suite tests.
 *
 * @param name name and version
 * @param suite the class of the suite, which another process makes to connect by the same client
 * @param sharesTripsInClusters whether calls of one subject share trips to a cluster
 * @param connector how it connects
 */
public record SuiteClient(
    String name, Class<?> suite, boolean sharesTripsInClusters, ClientConnector connector) {
  /** This client through asynchronous limiters; tests are skipped if it has none. */
  public SuiteClient asynchronous() {
    return new SuiteClient(
        name,
        suite,
        sharesTripsInClusters,
        (endpoint, options) -> AwaitedLimiters.of(connector.connect(endpoint, options)));
  }

  /** Connects, as the suite does. */
  @FunctionalInterface
  public interface ClientConnector {
    /** Limiters that the caller closes; the test is skipped if the client cannot do that. */
    RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options);
  }
}
