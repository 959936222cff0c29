package io.github.penstock.compat.script;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.time.Duration;

/** The same numbers for every algorithm, as far as it has them. */
public final class LimitSetting {
  private LimitSetting() {}

  /** The numbers of one tier, as a script takes them. */
  public static String tier(ScriptAlgorithm algorithm, long limit, long units, long periodUs) {
    return algorithm == ScriptAlgorithm.FIXED_WINDOW
        ? limit + " " + periodUs
        : limit + " " + units + " " + periodUs;
  }

  /** A limit of one tier. */
  public static Limit limit(ScriptAlgorithm algorithm, long limit, long units, Duration period) {
    return switch (algorithm) {
      case FIXED_WINDOW -> FixedWindow.of(limit, period);
      case TOKEN_BUCKET -> TokenBucket.of(limit).refill(units, period);
      case LEAKY_BUCKET -> LeakyBucket.of(limit).leak(units, period);
    };
  }

  /** A limit that gains nothing for as long as a test takes. */
  public static Limit lasting(ScriptAlgorithm algorithm, long limit) {
    return limit(algorithm, limit, 1, Duration.ofDays(30));
  }
}
