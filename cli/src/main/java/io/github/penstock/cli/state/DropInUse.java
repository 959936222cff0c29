package io.github.penstock.cli.state;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.scripts.DropInScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the state of a drop-in means at a time, in units and seconds, computed as docs/drop-ins.md
 * says.
 *
 * @param numbers the drop-in's own arguments that say the limit, in their order
 * @param stored what its keys hold, in their order; null for nothing
 */
public record DropInUse(DropInScript script, List<Double> numbers, List<@Nullable String> stored) {
  private static final Map<DropInScript, List<String>> TAKES =
      Map.of(
          DropInScript.COUNTER, List.of("limit"),
          DropInScript.TOKEN_BATCHES, List.of("capacity", "tokens", "interval"),
          DropInScript.RATE_BURST, List.of("rate", "capacity"),
          DropInScript.RATE_BURST_BOOLEAN, List.of("rate", "capacity"),
          DropInScript.PRORATE_LEAKY_BUCKET, List.of("leak_rate", "capacity"),
          DropInScript.REDIS_BUCKET, List.of("flow", "burst"));

  /**
   * Checks that the numbers are as many as the drop-in needs, or a multiple for several buckets.
   */
  public DropInUse {
    List<String> takes = TAKES.getOrDefault(script, List.of());
    boolean several = script == DropInScript.REDIS_BUCKET;
    if (numbers.isEmpty()
        || numbers.size() % takes.size() != 0
        || !several && numbers.size() != takes.size()
        || numbers.stream().anyMatch(number -> !(number > 0) || number.isInfinite())) {
      throw new UserErrorException(
          "--tier of %s must be %s, each above 0%s."
              .formatted(
                  script.scriptName(),
                  String.join(",", takes),
                  several ? ", once for each bucket" : ""));
    }
    numbers = List.copyOf(numbers);
    stored = new ArrayList<>(stored);
  }

  /** The second key that holds state: the one that was given, or the one that is derived. */
  public static @Nullable String secondKey(
      DropInScript script, String key, @Nullable String given) {
    return switch (script) {
      case COUNTER, REDIS_BUCKET -> null;
      case TOKEN_BATCHES -> given == null ? key + "_time" : given;
      case RATE_BURST, RATE_BURST_BOOLEAN, PRORATE_LEAKY_BUCKET -> {
        if (given == null) {
          throw new UserErrorException(
              script.scriptName() + " has two keys: give the one with the time behind the first.");
        }
        yield given;
      }
    };
  }

  /** The buckets or the counter. */
  public List<TierUse> at(double now, double secondsToLive) {
    return switch (script) {
      case COUNTER -> List.of(counter(secondsToLive));
      case TOKEN_BATCHES -> List.of(batches(now));
      case RATE_BURST, RATE_BURST_BOOLEAN -> List.of(filling(now));
      case PRORATE_LEAKY_BUCKET -> List.of(leaking(now));
      case REDIS_BUCKET -> buckets(now);
    };
  }

  private TierUse counter(double secondsToLive) {
    double count = stored.get(0) == null ? 0 : number(0);
    return TierUse.rounded(count, numbers.get(0), count > 0 ? secondsToLive : 0);
  }

  private TierUse batches(double now) {
    double capacity = numbers.get(0);
    double tokens = numbers.get(1);
    double interval = numbers.get(2);
    if (isLost()) {
      return TierUse.rounded(0, capacity, 0);
    }
    double batches = Math.max(0, Math.floor((now - number(1)) / interval));
    double left = Math.min(capacity, number(0) + batches * tokens);
    double missing = Math.ceil((capacity - left) / tokens);
    double last = number(1) + batches * interval;
    return TierUse.rounded(
        capacity - left, capacity, missing > 0 ? last + missing * interval - now : 0);
  }

  private TierUse filling(double now) {
    double rate = numbers.get(0);
    double capacity = numbers.get(1);
    double tokens =
        isLost() ? capacity : Math.min(capacity, number(0) + Math.max(0, now - number(1)) * rate);
    return TierUse.rounded(capacity - tokens, capacity, (capacity - tokens) / rate);
  }

  private TierUse leaking(double now) {
    double rate = numbers.get(0);
    double level = isLost() ? 0 : Math.max(0, number(0) - rate * Math.max(0, now - number(1)));
    return TierUse.rounded(level, numbers.get(1), level / rate);
  }

  private List<TierUse> buckets(double now) {
    String packed = stored.get(0);
    List<Double> values = packed == null ? List.of() : PackedNumbers.of(packed);
    List<TierUse> buckets = new ArrayList<>();
    for (int i = 0; i < numbers.size() / 2; i++) {
      double flow = numbers.get(2 * i);
      boolean known = values.size() > i + 2;
      double leaked = known ? Math.max(0, now - values.get(0)) * flow : 0;
      double level = known ? Math.max(0, values.get(i + 2) - leaked) : 0;
      buckets.add(TierUse.rounded(level, numbers.get(2 * i + 1), level / flow));
    }
    return buckets;
  }

  private boolean isLost() {
    return stored.get(0) == null || stored.get(1) == null;
  }

  private double number(int key) {
    try {
      return Double.parseDouble(String.valueOf(stored.get(key)));
    } catch (NumberFormatException foreign) {
      throw new UserErrorException(
          "the key holds what " + script.scriptName() + " does not write.", foreign);
    }
  }
}
