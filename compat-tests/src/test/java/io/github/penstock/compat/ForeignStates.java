package io.github.penstock.compat;

import static io.github.penstock.core.limit.Limit.MAX_UNITS;
import static io.github.penstock.testkit.model.ProtocolBounds.EXACT_END;
import static io.github.penstock.testkit.model.ProtocolBounds.FIRST_US;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Random stored values: some that a script could have written, some that only look like it.
 *
 * <p>They are functions of the tiers that they are stored for: jqwik remembers a generator for each
 * arbitrary, and compares each with all of them.
 */
final class ForeignStates {
  private ForeignStates() {}

  static Arbitrary<Function<List<List<Long>>, String>> states(
      ScriptAlgorithm algorithm, int count) {
    Arbitrary<Integer> fields =
        Arbitraries.frequency(Tuple.of(12, count), Tuple.of(1, count + 1), Tuple.of(1, count - 1));
    Arbitrary<Function<List<List<Long>>, String>> field =
        switch (algorithm) {
          case FIXED_WINDOW -> window().map(text -> tiers -> text);
          case SLIDING_WINDOW -> slidingWindow().map(text -> tiers -> text);
          case TOKEN_BUCKET, LEAKY_BUCKET -> bucket(count);
          case INTERVAL_BUCKET -> intervalBucket(count);
        };
    Arbitrary<String> separator =
        Arbitraries.frequency(Tuple.of(30, " "), Tuple.of(1, "  "), Tuple.of(1, "\n"));
    Arbitrary<String> ending =
        Arbitraries.frequency(Tuple.of(30, ""), Tuple.of(1, " "), Tuple.of(1, "\0"));
    return Combinators.combine(fields.flatMap(size -> field.list().ofSize(size)), separator, ending)
        .as(
            (list, between, end) ->
                tiers ->
                    list.stream()
                        .map(each -> each.apply(tiers))
                        .collect(Collectors.joining(between, "", end)));
  }

  /** A number of one of the tiers, which stands at this place in it. */
  private static Arbitrary<ToLongFunction<List<List<Long>>>> numbers(int count, int place) {
    return Arbitraries.integers()
        .between(0, count - 1)
        .map(tier -> tiers -> tiers.get(tier).get(place));
  }

  private static Arbitrary<ToLongFunction<List<List<Long>>>> fixed(Arbitrary<Long> numbers) {
    return numbers.map(number -> tiers -> number);
  }

  private static Arbitrary<Long> times() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.longs().between(1_599_990_000_000_000L, 1_800_010_000_000_000L)),
        Tuple.of(1, Arbitraries.longs().between(FIRST_US, EXACT_END - 1)),
        Tuple.of(1, Arbitraries.of(FIRST_US, EXACT_END - 1, FIRST_US - 1, EXACT_END)));
  }

  private static Arbitrary<Function<List<List<Long>>, String>> bucket(int count) {
    Arbitrary<ToLongFunction<List<List<Long>>>> rests =
        Arbitraries.oneOf(
            fixed(Arbitraries.longs().between(0, 30)),
            numbers(count, 1),
            numbers(count, 1).map(units -> tiers -> units.applyAsLong(tiers) - 1),
            numbers(count, 1).map(units -> tiers -> units.applyAsLong(tiers) / 2));
    Arbitrary<Function<List<List<Long>>, String>> withRest =
        Combinators.combine(times(), rests)
            .as((time, rest) -> tiers -> time + "+" + rest.applyAsLong(tiers));
    Arbitrary<String> odd =
        Arbitraries.of("", "17", "0+1", "-0", "1e15", "1700000000000000+01", "nan");
    return Arbitraries.frequencyOf(
        Tuple.of(20, times().map(time -> tiers -> Long.toString(time))),
        Tuple.of(10, withRest),
        Tuple.of(3, Arbitraries.just(tiers -> "0")),
        Tuple.of(1, odd.map(text -> tiers -> text)));
  }

  private static Arbitrary<Long> counts() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 30), Arbitraries.of(MAX_UNITS, MAX_UNITS + 1));
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

  private static Arbitrary<Function<List<List<Long>>, String>> intervalBucket(int count) {
    Arbitrary<ToLongFunction<List<List<Long>>>> missing =
        Arbitraries.oneOf(
            fixed(counts()),
            numbers(count, 0),
            numbers(count, 0).map(capacity -> tiers -> capacity.applyAsLong(tiers) + 1));
    Arbitrary<String> odd = Arbitraries.of("", "17", "0:1", "0", "1700000000000000:01", "0:0:0");
    return Arbitraries.frequencyOf(
        Tuple.of(
            30,
            Combinators.combine(times(), missing)
                .as((next, less) -> tiers -> next + ":" + less.applyAsLong(tiers))),
        Tuple.of(3, Arbitraries.just(tiers -> "0:0")),
        Tuple.of(1, odd.map(text -> tiers -> text)));
  }
}
