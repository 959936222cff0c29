package io.github.penstock.examples.web;

import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The limits in {@code application.yaml}.
 *
 * @param limit a limit as text, see docs/limits.md
 * @param subject whom the limit counts
 * @param deadline how long one decision may take
 * @param onUnavailable what happens without a decision
 */
@ConfigurationProperties("ratelimit")
record RateLimitSettings(
    String limit, CallerSubject subject, Duration deadline, OnUnavailable onUnavailable) {
  RateLimiterOptions options() {
    return RateLimiterOptions.builder().deadline(deadline).onUnavailable(onUnavailable).build();
  }
}
