package io.github.penstock.compat;

import static io.github.penstock.core.limit.Limit.MAX_UNITS;
import static io.github.penstock.testkit.model.ProtocolBounds.EXACT_END;
import static io.github.penstock.testkit.model.ProtocolBounds.FIRST_US;

import io.github.penstock.scripts.LuaScript;
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
  private static final List<String> ODD =
      List.of(
          "",
          "17",
          "0",
          "-0",
          "nan",
          "1e15",
          "0:0",
          "0:1",
          "0+1",
          "0x1:1",
          "0:0:0",
          "0:1:1",
          "1:1:1",
          "1700000000000000:01",
          "1700000000000000+01",
          "1700000000000000:1:01");

  private ForeignStates() {}

  static Arbitrary<Function<List<List<Long>>, String>> states(
      ScriptAlgorithm algorithm, int count) {
    Arbitrary<Integer> fields =
        Arbitraries.frequency(Tuple.of(12, count), Tuple.of(1, count + 1), Tuple.of(1, count - 1));
    Arbitrary<Function<List<List<Long>>, String>> field =
        field(LuaScript.valueOf(algorithm.name()), count);
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

  private static Arbitrary<Long> times() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.longs().between(1_599_990_000_000_000L, 1_800_010_000_000_000L)),
        Tuple.of(1, Arbitraries.longs().between(FIRST_US, EXACT_END - 1)),
        Tuple.of(1, Arbitraries.of(FIRST_US, EXACT_END - 1, FIRST_US - 1, EXACT_END)));
  }

  /** What may stand under the key for one tier: the forms of its state, and what is like them. */
  private static Arbitrary<Function<List<List<Long>>, String>> field(LuaScript script, int count) {
    Arbitrary<Function<List<List<Long>>, String>> inUse =
        Arbitraries.of(script.state().forms()).flatMap(form -> inUse(form, count));
    return Arbitraries.frequencyOf(
        Tuple.of(30, inUse),
        Tuple.of(3, Arbitraries.just(tiers -> script.state().unused())),
        Tuple.of(1, Arbitraries.of(ODD).map(text -> tiers -> text)));
  }

  /** A form such as {@code end:used}: a time, and then amounts. */
  private static Arbitrary<Function<List<List<Long>>, String>> inUse(String form, int count) {
    String[] signs = form.split("[a-z]+", -1);
    return Combinators.combine(times(), amounts(count).list().ofSize(signs.length - 2))
        .as(
            (time, amounts) ->
                tiers -> {
                  StringBuilder text = new StringBuilder().append(time);
                  for (int at = 0; at < amounts.size(); at++) {
                    text.append(signs[at + 1]).append(amounts.get(at).applyAsLong(tiers));
                  }
                  return text.toString();
                });
  }

  /** Small amounts, the most that there can be, and those beside the numbers of a tier. */
  private static Arbitrary<ToLongFunction<List<List<Long>>>> amounts(int count) {
    Arbitrary<Long> fixed =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 30), Arbitraries.of(MAX_UNITS, MAX_UNITS + 1));
    Arbitrary<ToLongFunction<List<List<Long>>>> ofTier =
        Combinators.combine(
                Arbitraries.integers().between(0, count - 1),
                Arbitraries.integers().between(0, 1),
                Arbitraries.of(2L, 1L),
                Arbitraries.of(-1L, 0L, 1L))
            .as((tier, place, part, more) -> tiers -> tiers.get(tier).get(place) / part + more);
    return Arbitraries.oneOf(fixed.map(number -> tiers -> number), ofTier);
  }
}
