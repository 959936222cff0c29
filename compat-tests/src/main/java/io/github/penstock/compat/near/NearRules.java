package io.github.penstock.compat.near;

import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;

/** Rules about answers without a trip. */
public abstract class NearRules extends ServerRules {
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
}
