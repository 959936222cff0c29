package io.github.penstock.compat.script;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The same numbers for every algorithm, as far as it has them. */
public final class LimitSetting {
  private LimitSetting() {}

  /** The numbers of one tier, in a script's order. */
  public static List<Long> numbers(
      ScriptAlgorithm algorithm, long limit, long units, long periodUs) {
    return algorithm.isWindow() ? List.of(limit, periodUs) : List.of(limit, units, periodUs);
  }

  /** The numbers of one tier, as text with spaces between them. */
  public static String tier(ScriptAlgorithm algorithm, long limit, long units, long periodUs) {
    return numbers(algorithm, limit, units, periodUs).stream()
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /** A limit of one tier. */
  public static Limit limit(ScriptAlgorithm algorithm, long limit, long units, Duration period) {
    long periodUs = TimeUnit.MICROSECONDS.convert(period);
    return limit(algorithm, List.of(numbers(algorithm, limit, units, periodUs)));
  }

  /** The limit whose tiers have these numbers, in a script's order. */
  public static Limit limit(ScriptAlgorithm algorithm, List<List<Long>> tiers) {
    List<LimitTier> limits = tiers.stream().map(LimitSetting::tier).toList();
    return switch (algorithm) {
      case FIXED_WINDOW -> new FixedWindow(limits);
      case SLIDING_WINDOW -> new SlidingWindow(limits);
      case TOKEN_BUCKET -> new TokenBucket(limits);
      case LEAKY_BUCKET -> new LeakyBucket(limits);
      case INTERVAL_BUCKET -> new IntervalBucket(limits);
    };
  }

  /* Two numbers for a window, three for a bucket. */
  private static LimitTier tier(List<Long> numbers) {
    long units = numbers.get(numbers.size() - 2);
    return new LimitTier(numbers.get(0), units, micros(numbers.get(numbers.size() - 1)));
  }

  private static Duration micros(long us) {
    return Duration.of(us, ChronoUnit.MICROS);
  }

  /** A limit that gains nothing for as long as a test takes. */
  public static Limit lasting(ScriptAlgorithm algorithm, long limit) {
    return limit(algorithm, limit, 1, Duration.ofDays(30));
  }
}
