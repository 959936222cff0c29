package io.github.penstock.compat.near;

import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Rules about answers without a trip, each on a server of its own. */
public abstract class NearRules extends ClientRules {
  /** The one policy. */
  static final String POLICY = "near";

  /** The one subject. */
  static final String SUBJECT = "u";

  /**
   * A deadline that no call needs, and denials that are remembered for longer than a test takes.
   */
  static final RateLimiterOptions PATIENT =
      RateLimiterOptions.builder()
          .prefix(SubjectKey.PREFIX)
          .deadline(Duration.ofSeconds(30))
          .rememberDenials(Duration.ofMinutes(1))
          .build();

  final ServerProcess server = SharedDeployments.process();

  @AfterEach
  final void end() {
    server.close();
  }

  final RateLimiters connect(RateLimiterOptions options) {
    return connect(server.url(), options);
  }

  final RateLimiters connect(RedisUrl url, RateLimiterOptions options) {
    return suiteClient().connector().connect(new ServerEndpoint.Single(url), options);
  }
}
