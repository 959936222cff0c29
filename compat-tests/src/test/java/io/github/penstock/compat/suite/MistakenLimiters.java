package io.github.penstock.compat.suite;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.resp.RedisUrl;
import org.jspecify.annotations.Nullable;

/** Limiters that can have mistakes. */
enum MistakenLimiters {
  /** Send scripts with a mistake, or send a call again. */
  SCRIPTS(WrongRateLimiters::connect),
  /** Mistake failures for others. */
  CONFUSED(ConfusedRateLimiters::connect),
  /** Answer wrongly without a trip. */
  FORGETFUL(ForgetfulRateLimiters::connect),
  /** End reservations wrongly. */
  CARELESS(CarelessReservations::connect);

  private final LimiterFactory factory;

  MistakenLimiters(LimiterFactory factory) {
    this.factory = factory;
  }

  /** Connects limiters with a mistake, or without any. */
  RateLimiters connect(RedisUrl url, RateLimiterOptions options, @Nullable PlantedMistake mistake) {
    return factory.connect(url, options, mistake);
  }

  /** Connects limiters of one class. */
  @FunctionalInterface
  private interface LimiterFactory {
    RateLimiters connect(
        RedisUrl url, RateLimiterOptions options, @Nullable PlantedMistake mistake);
  }
}
