package io.github.penstock.spring.client;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.settings.PenstockProperties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A kind of client that the application may have. */
public interface ClientSource {
  /** Which one. */
  PenstockProperties.Client client();

  /** Returns whether the application has it. */
  boolean isThere();

  /**
   * How limiters are made on it; null if there is no such client, although the properties want it.
   */
  @Nullable Function<RateLimiterOptions, RateLimiters> limiters();

  /** How limiters are made on a bean; null if it is no client of this kind. */
  default @Nullable Function<RateLimiterOptions, RateLimiters> limiters(Object bean) {
    return null;
  }

  /** How limiters with connections of their own are made; null if they have none. */
  default @Nullable Function<RateLimiterOptions, RateLimiters> limitersAt(String url) {
    return null;
  }
}
