package io.github.penstock.core.engine;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
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
      return window(window);
    }
    if (limit instanceof TokenBucket bucket) {
      return bucket(
          LuaScript.TOKEN_BUCKET,
          bucket.tiers(),
          tier -> numbers(tier.capacity(), tier.refillTokens(), tier.refillPeriod()));
    }
    if (limit instanceof LeakyBucket bucket) {
      return bucket(
          LuaScript.LEAKY_BUCKET,
          bucket.tiers(),
          tier -> numbers(tier.capacity(), tier.leakUnits(), tier.leakPeriod()));
    }
    throw new AssertionError(limit);
  }

  /* A window's count means the same whatever the limit is, so the limit is not in its key. */
  private static LimitEncoding window(FixedWindow window) {
    StringJoiner marker = new StringJoiner("-", "w", "");
    List<String> arguments = new ArrayList<>();
    for (FixedWindow.Tier tier : window.tiers()) {
      String micros = micros(tier.window());
      marker.add(micros);
      arguments.addAll(List.of(Long.toString(tier.limit()), micros));
    }
    return new LimitEncoding(LuaScript.FIXED_WINDOW, marker.toString(), arguments);
  }

  private static <T> LimitEncoding bucket(
      LuaScript script, List<T> tiers, Function<T, List<String>> numbers) {
    StringJoiner marker = new StringJoiner("-", "b", "");
    List<String> arguments = new ArrayList<>();
    for (T tier : tiers) {
      marker.add(String.join(".", numbers.apply(tier)));
      arguments.addAll(numbers.apply(tier));
    }
    return new LimitEncoding(script, marker.toString(), arguments);
  }

  private static List<String> numbers(long capacity, long units, Duration period) {
    return List.of(Long.toString(capacity), Long.toString(units), micros(period));
  }

  private static String micros(Duration period) {
    return Long.toString(TimeUnit.MICROSECONDS.convert(period));
  }
}
