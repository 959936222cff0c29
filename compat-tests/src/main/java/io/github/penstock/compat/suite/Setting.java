package io.github.penstock.compat.suite;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.LeakyBucket;
import io.github.penstock.core.Limit;
import io.github.penstock.core.TokenBucket;
import java.time.Duration;

/** The same numbers for every algorithm, as far as it has them. */
final class Setting {
  private Setting() {}

  /** The numbers of one tier, as a script takes them. */
  static String tier(Algorithm algorithm, long limit, long units, long periodUs) {
    return algorithm == Algorithm.FIXED_WINDOW
        ? limit + " " + periodUs
        : limit + " " + units + " " + periodUs;
  }

  /** A limit of one tier. */
  static Limit limit(Algorithm algorithm, long limit, long units, Duration period) {
    return switch (algorithm) {
      case FIXED_WINDOW -> FixedWindow.of(limit, period);
      case TOKEN_BUCKET -> TokenBucket.of(limit).refill(units, period);
      case LEAKY_BUCKET -> LeakyBucket.of(limit).leak(units, period);
    };
  }

  /** A limit that gains nothing for as long as a test takes. */
  static Limit lasting(Algorithm algorithm, long limit) {
    return limit(algorithm, limit, 1, Duration.ofDays(30));
  }
}
