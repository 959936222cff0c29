package io.github.penstock.compat.script;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The same numbers for every algorithm, as far as applicable. */
public final class LimitSetting {
  private LimitSetting() {}

  /** The numbers of one tier, in a script's order. */
  public static List<Long> numbers(
      ScriptAlgorithm algorithm, long limit, long units, long periodUs) {
    List<LuaScript.TierNumber> tier = kind(algorithm).script().tier();
    return IntStream.range(0, tier.size())
        .mapToObj(
            at -> tier.get(at).unit().equals("microseconds") ? periodUs : at == 0 ? limit : units)
        .toList();
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
    LimitKind kind = kind(algorithm);
    return Limit.of(kind, tiers.stream().map(kind::tier).toList());
  }

  /** The kind of limit that an algorithm decides about. */
  public static LimitKind kind(ScriptAlgorithm algorithm) {
    return LimitKind.valueOf(algorithm.name());
  }

  /** A limit that gains nothing for as long as a test takes. */
  public static Limit lasting(ScriptAlgorithm algorithm, long limit) {
    return limit(algorithm, limit, 1, Duration.ofDays(30));
  }
}
