package io.github.penstock.compat;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random stored values: some that a script could have written, some that only look like it. */
final class ForeignStates {
  private ForeignStates() {}

  static Arbitrary<String> states(ScriptAlgorithm algorithm, List<List<Long>> tiers) {
    int count = tiers.size();
    Arbitrary<Integer> fields =
        Arbitraries.frequency(Tuple.of(12, count), Tuple.of(1, count + 1), Tuple.of(1, count - 1));
    Arbitrary<String> field =
        switch (algorithm) {
          case FIXED_WINDOW -> window();
          case SLIDING_WINDOW -> slidingWindow();
          case TOKEN_BUCKET, LEAKY_BUCKET -> bucket(tiers);
          case INTERVAL_BUCKET -> intervalBucket(tiers);
        };
    Arbitrary<String> separator =
        Arbitraries.frequency(Tuple.of(30, " "), Tuple.of(1, "  "), Tuple.of(1, "\n"));
    Arbitrary<String> ending =
        Arbitraries.frequency(Tuple.of(30, ""), Tuple.of(1, " "), Tuple.of(1, "\0"));
    return Combinators.combine(fields.flatMap(size -> field.list().ofSize(size)), separator, ending)
        .as((list, between, end) -> String.join(between, list) + end);
  }

  private static Arbitrary<Long> times() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.longs().between(1_599_990_000_000_000L, 1_800_010_000_000_000L)),
        Tuple.of(1, Arbitraries.longs().between(1_000_000_000_000_000L, (1L << 53) - 1)),
        Tuple.of(
            1,
            Arbitraries.of(
                1_000_000_000_000_000L, (1L << 53) - 1, 999_999_999_999_999L, 1L << 53)));
  }

  private static Arbitrary<String> bucket(List<List<Long>> tiers) {
    Arbitrary<Long> units = Arbitraries.of(tiers).map(tier -> tier.get(1));
    Arbitrary<Long> rests =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 30),
            units,
            units.map(n -> n - 1),
            units.map(n -> n / 2));
    Arbitrary<String> withRest = Combinators.combine(times(), rests).as((q, r) -> q + "+" + r);
    return Arbitraries.frequencyOf(
        Tuple.of(20, times().map(String::valueOf)),
        Tuple.of(10, withRest),
        Tuple.of(3, Arbitraries.just("0")),
        Tuple.of(1, Arbitraries.of("", "17", "0+1", "-0", "1e15", "1700000000000000+01", "nan")));
  }

  private static Arbitrary<Long> counts() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 30), Arbitraries.of(1_000_000_000_000L, 1_000_000_000_001L));
  }

  private static Arbitrary<String> window() {
    return Arbitraries.frequencyOf(
        Tuple.of(30, Combinators.combine(times(), counts()).as((end, used) -> end + ":" + used)),
        Tuple.of(3, Arbitraries.just("0:0")),
        Tuple.of(1, Arbitraries.of("", "17", "0:1", "0", "1700000000000000:01", "0x1:1")));
  }

  private static Arbitrary<String> slidingWindow() {
    return Arbitraries.frequencyOf(
        Tuple.of(
            30,
            Combinators.combine(times(), counts(), counts())
                .as((end, used, older) -> end + ":" + used + ":" + older)),
        Tuple.of(3, Arbitraries.just("0:0:0")),
        Tuple.of(1, Arbitraries.of("", "0:0", "0:1:1", "1700000000000000:1:01", "1:1:1")));
  }

  private static Arbitrary<String> intervalBucket(List<List<Long>> tiers) {
    Arbitrary<Long> capacities = Arbitraries.of(tiers).map(tier -> tier.get(0));
    Arbitrary<Long> missing = Arbitraries.oneOf(counts(), capacities, capacities.map(c -> c + 1));
    return Arbitraries.frequencyOf(
        Tuple.of(30, Combinators.combine(times(), missing).as((next, less) -> next + ":" + less)),
        Tuple.of(3, Arbitraries.just("0:0")),
        Tuple.of(1, Arbitraries.of("", "17", "0:1", "0", "1700000000000000:01", "0:0:0")));
  }
}
