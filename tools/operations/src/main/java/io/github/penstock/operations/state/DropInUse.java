package io.github.penstock.operations.state;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.scripts.DropInScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a drop-in's state, in units and seconds, computed as docs/drop-ins.md says.
 *
 * @param numbers the arguments that say the limit, in their order
 */
public record DropInUse(DropInScript script, List<Double> numbers) {
  private static final Map<DropInScript, List<String>> TAKES =
      Map.of(
          DropInScript.COUNTER, List.of("limit"),
          DropInScript.TOKEN_BATCHES, List.of("capacity", "tokens", "interval"),
          DropInScript.RATE_BURST, List.of("rate", "capacity"),
          DropInScript.RATE_BURST_BOOLEAN, List.of("rate", "capacity"),
          DropInScript.PRORATE_LEAKY_BUCKET, List.of("leak_rate", "capacity"),
          DropInScript.REDIS_BUCKET, List.of("flow", "burst"));

  /** Checks that the numbers are as many as needed, once for each bucket where there are some. */
  public DropInUse {
    List<String> takes = TAKES.getOrDefault(script, List.of());
    boolean several = script == DropInScript.REDIS_BUCKET;
    boolean fitting =
        numbers.size() == takes.size() || several && numbers.size() % takes.size() == 0;
    if (!fitting || numbers.stream().anyMatch(number -> !(number > 0) || number.isInfinite())) {
      throw new UserErrorException(
          "--drop-in %s must have %s behind the colon, each above 0%s."
              .formatted(
                  script.scriptName(),
                  String.join(",", takes),
                  several ? ", for each of its buckets" : ""));
    }
    numbers = List.copyOf(numbers);
  }

  /** Parses {@code name:number,number...}; throws a UserErrorException for an unknown drop-in. */
  public static DropInUse parse(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    DropInScript script =
        Stream.of(DropInScript.values())
            .filter(each -> each.scriptName().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new UserErrorException(
                        "--drop-in must be NAME:NUMBERS with a name that `penstock scripts list` prints, not %s."
                            .formatted(SafeText.terminal(name))));
    String numbers = text.substring(name.length()).replaceFirst("^:", "");
    try {
      return new DropInUse(script, Stream.of(numbers.split(",", -1)).map(Double::valueOf).toList());
    } catch (NumberFormatException none) {
      return new DropInUse(script, List.of());
    }
  }

  /** The second key that holds state: the one that was given, or the one that is derived. */
  public @Nullable String secondKey(String key, @Nullable String given) {
    return switch (script) {
      case COUNTER, REDIS_BUCKET -> null;
      case TOKEN_BATCHES -> given == null ? key + "_time" : given;
      case RATE_BURST, RATE_BURST_BOOLEAN, PRORATE_LEAKY_BUCKET -> {
        if (given == null) {
          throw new UserErrorException(
              script.scriptName() + " has two keys: give the key of the time after the first.");
        }
        yield given;
      }
    };
  }

  /** The buckets or the counter. */
  public List<TierUse> of(StoredKey stored) {
    double now = stored.nowUs() / 1e6;
    return switch (script) {
      case COUNTER -> List.of(counter(stored));
      case TOKEN_BATCHES -> List.of(batches(stored, now));
      case RATE_BURST, RATE_BURST_BOOLEAN -> List.of(filling(stored, now));
      case PRORATE_LEAKY_BUCKET -> List.of(leaking(stored, now));
      case REDIS_BUCKET -> buckets(stored.value(), now);
    };
  }

  private TierUse counter(StoredKey stored) {
    double count = stored.value() == null ? 0 : number(stored.value());
    return TierUse.rounded(count, numbers.get(0), count > 0 ? stored.ttlMs() / 1e3 : 0);
  }

  private TierUse batches(StoredKey stored, double now) {
    double capacity = numbers.get(0);
    double tokens = numbers.get(1);
    double interval = numbers.get(2);
    if (stored.isHalf()) {
      return TierUse.rounded(0, capacity, 0);
    }
    double last = number(stored.second());
    double batches = Math.max(0, Math.floor((now - last) / interval));
    double left = Math.min(capacity, number(stored.value()) + batches * tokens);
    double missing = Math.ceil((capacity - left) / tokens);
    double full = last + (batches + missing) * interval;
    return TierUse.rounded(capacity - left, capacity, missing > 0 ? full - now : 0);
  }

  private TierUse filling(StoredKey stored, double now) {
    double rate = numbers.get(0);
    double capacity = numbers.get(1);
    double tokens = capacity;
    if (!stored.isHalf()) {
      double elapsed = Math.max(0, now - number(stored.second()));
      tokens = Math.min(capacity, number(stored.value()) + elapsed * rate);
    }
    return TierUse.rounded(capacity - tokens, capacity, (capacity - tokens) / rate);
  }

  private TierUse leaking(StoredKey stored, double now) {
    double rate = numbers.get(0);
    double level = 0;
    if (!stored.isHalf()) {
      double elapsed = Math.max(0, now - number(stored.second()));
      level = Math.max(0, number(stored.value()) - rate * elapsed);
    }
    return TierUse.rounded(level, numbers.get(1), level / rate);
  }

  private List<TierUse> buckets(@Nullable String packed, double now) {
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

  private double number(@Nullable String stored) {
    try {
      return Double.parseDouble(String.valueOf(stored));
    } catch (NumberFormatException foreign) {
      throw new UserErrorException(
          "the key holds what " + script.scriptName() + " does not write.", foreign);
    }
  }
}
