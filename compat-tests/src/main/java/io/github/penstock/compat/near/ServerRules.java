package io.github.penstock.compat.near;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.SharedDeployments;
import org.junit.jupiter.api.AfterEach;

/** Rules about a client, each on a separate server. */
public abstract class ServerRules extends ClientRules {
  /** The server of the test. */
  protected final ServerProcess server = SharedDeployments.process();

  @AfterEach
  final void end() {
    server.close();
  }

  /** Limiters on the server; the caller closes them. */
  protected final RateLimiters connect(RateLimiterOptions options) {
    return connect(server.url(), options);
  }
}
