package io.github.penstock.spring.configure;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A kind of client that the application may have. */
interface ClientSource {
  /** Which one. */
  PenstockProperties.Client client();

  /** Returns whether the application has it. */
  boolean isThere();

  /**
   * How limiters are made on it; null if there is no such client, although the properties want it.
   */
  @Nullable Function<RateLimiterOptions, RateLimiters> limiters();
}
