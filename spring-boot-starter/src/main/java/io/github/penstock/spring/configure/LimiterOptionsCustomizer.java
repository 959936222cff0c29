package io.github.penstock.spring.configure;

import io.github.penstock.core.RateLimiterOptions;

/** A bean that changes the options of limiters, after the properties. */
@FunctionalInterface
public interface LimiterOptionsCustomizer {
  /** Changes the options. */
  void customize(RateLimiterOptions.Builder options);
}
