package io.github.penstock.spring.internal.client;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A kind of client that the application may have. */
public interface ClientSource {
  /** The client that this is. */
  PenstockProperties.Client client();

  /** Returns whether the application has it. */
  boolean isThere();

  /** Creates limiters on it; null if the client is missing although the properties name it. */
  @Nullable Function<RateLimiterOptions, RateLimiters> limiters();

  /** Creates limiters on a bean; null if the bean is not a client of this kind. */
  default @Nullable Function<RateLimiterOptions, RateLimiters> limiters(Object bean) {
    return null;
  }

  /** Creates limiters with separate connections; null if that is not supported. */
  default @Nullable Function<RateLimiterOptions, RateLimiters> limitersAt(String url) {
    return null;
  }
}
