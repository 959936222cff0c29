package io.github.penstock.core.engine;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.scripts.LuaScript;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A limit in the protocol's form: script, key marker and arguments. Immutable.
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
    return switch (limit.algorithm()) {
      case "fixed-window" -> windows(LuaScript.FIXED_WINDOW, "w", limit);
      case "sliding-window" -> windows(LuaScript.SLIDING_WINDOW, "s", limit);
      case "token-bucket" -> buckets(LuaScript.TOKEN_BUCKET, "b", limit);
      case "leaky-bucket" -> buckets(LuaScript.LEAKY_BUCKET, "b", limit);
      case "interval-bucket" -> buckets(LuaScript.INTERVAL_BUCKET, "i", limit);
      default -> throw new AssertionError(limit);
    };
  }

  /* A window's count means the same whatever the limit is, so the limit is not in its key. */
  private static LimitEncoding windows(LuaScript script, String family, Limit limit) {
    return encoded(
        script,
        family,
        limit,
        tier -> List.of(text(tier.units()), text(tier.periodMicros())),
        numbers -> numbers.get(1));
  }

  private static LimitEncoding buckets(LuaScript script, String family, Limit limit) {
    return encoded(
        script,
        family,
        limit,
        tier -> List.of(text(tier.capacity()), text(tier.units()), text(tier.periodMicros())),
        numbers -> String.join(".", numbers));
  }

  private static LimitEncoding encoded(
      LuaScript script,
      String family,
      Limit limit,
      Function<LimitTier, List<String>> numbers,
      Function<List<String>, String> marking) {
    List<List<String>> tiers = limit.tiers().stream().map(numbers).toList();
    String marker = tiers.stream().map(marking).collect(Collectors.joining("-", family, ""));
    return new LimitEncoding(script, marker, tiers.stream().flatMap(List::stream).toList());
  }

  private static String text(long number) {
    return Long.toString(number);
  }
}
