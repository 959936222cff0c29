package io.github.penstock.core.engine;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A limit as the protocol has it; the one place that knows every kind of limit. Immutable.
 *
 * @param script the script that decides about the limit
 * @param marker the end of the key: the state's family and the numbers that give the state its
 *     meaning, such as {@code b100.10.1000000}. Limits with the same marker share their state
 * @param arguments the script's arguments for all tiers, in order, times in microseconds
 */
public record LimitEncoding(LuaScript script, String marker, List<String> arguments) {
  /** Copies the list. */
  public LimitEncoding {
    arguments = List.copyOf(arguments);
  }

  /** Encodes a limit. */
  public static LimitEncoding of(Limit limit) {
    if (limit instanceof FixedWindow window) {
      return windows(
          LuaScript.FIXED_WINDOW,
          "w",
          window.tiers(),
          tier -> numbers(tier.limit(), tier.window()));
    }
    if (limit instanceof SlidingWindow window) {
      return windows(
          LuaScript.SLIDING_WINDOW,
          "s",
          window.tiers(),
          tier -> numbers(tier.limit(), tier.window()));
    }
    if (limit instanceof TokenBucket bucket) {
      return buckets(
          LuaScript.TOKEN_BUCKET,
          "b",
          bucket.tiers(),
          tier -> numbers(tier.capacity(), tier.refillTokens(), tier.refillPeriod()));
    }
    if (limit instanceof LeakyBucket bucket) {
      return buckets(
          LuaScript.LEAKY_BUCKET,
          "b",
          bucket.tiers(),
          tier -> numbers(tier.capacity(), tier.leakUnits(), tier.leakPeriod()));
    }
    if (limit instanceof IntervalBucket bucket) {
      return buckets(
          LuaScript.INTERVAL_BUCKET,
          "i",
          bucket.tiers(),
          tier -> numbers(tier.capacity(), tier.tokens(), tier.interval()));
    }
    throw new AssertionError(limit);
  }

  /* A window's count means the same whatever the limit is, so the limit is not in its key. */
  private static <T> LimitEncoding windows(
      LuaScript script, String family, List<T> tiers, Function<T, List<String>> numbers) {
    return encoded(script, family, tiers, numbers, tier -> tier.get(1));
  }

  private static <T> LimitEncoding buckets(
      LuaScript script, String family, List<T> tiers, Function<T, List<String>> numbers) {
    return encoded(script, family, tiers, numbers, tier -> String.join(".", tier));
  }

  private static <T> LimitEncoding encoded(
      LuaScript script,
      String family,
      List<T> tiers,
      Function<T, List<String>> numbers,
      Function<List<String>, String> marking) {
    StringJoiner marker = new StringJoiner("-", family, "");
    List<String> arguments = new ArrayList<>();
    for (T tier : tiers) {
      marker.add(marking.apply(numbers.apply(tier)));
      arguments.addAll(numbers.apply(tier));
    }
    return new LimitEncoding(script, marker.toString(), arguments);
  }

  private static List<String> numbers(long limit, Duration window) {
    return List.of(Long.toString(limit), micros(window));
  }

  private static List<String> numbers(long capacity, long units, Duration period) {
    return List.of(Long.toString(capacity), Long.toString(units), micros(period));
  }

  private static String micros(Duration period) {
    return Long.toString(TimeUnit.MICROSECONDS.convert(period));
  }
}
