package io.github.penstock.compat;

import static io.github.penstock.core.limit.Limit.MAX_UNITS;
import static io.github.penstock.testkit.model.ProtocolBounds.CENTURY_US;
import static io.github.penstock.testkit.model.ProtocolBounds.EXACT_END;
import static io.github.penstock.testkit.model.ProtocolBounds.LONGEST_US;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random plans: small numbers, everyday numbers, and numbers at the edges of what is exact. */
final class CallPlans {
  private CallPlans() {}

  static Arbitrary<CallPlan> plans() {
    return Arbitraries.of(ScriptAlgorithm.values()).flatMap(CallPlans::plans);
  }

  static Arbitrary<CallPlan> plans(ScriptAlgorithm algorithm) {
    return counts()
        .flatMap(
            count ->
                Combinators.combine(
                        tier(algorithm).list().ofSize(count),
                        Arbitraries.longs().between(1_600_000_000_000_000L, 1_800_000_000_000_000L),
                        steps(algorithm, count).list().ofMinSize(1).ofMaxSize(24))
                    .as((tiers, startUs, steps) -> plan(algorithm, tiers, startUs, steps)));
  }

  private static CallPlan plan(
      ScriptAlgorithm algorithm,
      List<List<Long>> tiers,
      long startUs,
      List<Function<List<List<Long>>, PlannedStep>> steps) {
    return new CallPlan(
        algorithm, tiers, startUs, steps.stream().map(step -> step.apply(tiers)).toList());
  }

  private static Arbitrary<Integer> counts() {
    return Arbitraries.frequency(
        Tuple.of(6, 1), Tuple.of(4, 2), Tuple.of(2, 3), Tuple.of(1, 7), Tuple.of(1, 16));
  }

  static Arbitrary<List<Long>> tier(ScriptAlgorithm algorithm) {
    Arbitrary<List<Long>> three =
        Arbitraries.frequencyOf(
            Tuple.of(4, numbers(units(20), units(20), units(3_000_000))),
            Tuple.of(4, numbers(units(10_000), units(10_000), units(86_400_000_000L))),
            Tuple.of(1, numbers(units(MAX_UNITS), units(MAX_UNITS), units(LONGEST_US))),
            Tuple.of(3, nearTwoToThe53()),
            Tuple.of(2, withCommonDivisor()),
            Tuple.of(1, nearACentury()));
    return three.map(
        numbers -> LimitSetting.numbers(algorithm, numbers.get(0), numbers.get(1), numbers.get(2)));
  }

  private static Arbitrary<Long> units(long most) {
    return Arbitraries.longs().between(1, most);
  }

  private static Arbitrary<List<Long>> numbers(
      Arbitrary<Long> capacity, Arbitrary<Long> units, Arbitrary<Long> period) {
    return Combinators.combine(capacity, units, period).as(List::of);
  }

  private static Arbitrary<List<Long>> nearTwoToThe53() {
    Arbitrary<Long> units = Arbitraries.oneOf(units(20), units(1_000_000), units(MAX_UNITS));
    return Combinators.combine(units(MAX_UNITS), units, Arbitraries.longs().between(-1, 1))
        .as(
            (capacity, perPeriod, off) -> {
              long period = Math.min(LONGEST_US, Math.max(1, EXACT_END / capacity + off));
              return List.of(
                  Math.min(MAX_UNITS, Math.max(1, EXACT_END / period)), perPeriod, period);
            });
  }

  private static Arbitrary<List<Long>> withCommonDivisor() {
    return Combinators.combine(units(MAX_UNITS), units(1_000), units(1_000), units(1_000_000_000))
        .as((capacity, units, period, by) -> List.of(capacity, units * by, period * by));
  }

  private static Arbitrary<List<Long>> nearACentury() {
    return Combinators.combine(
            Arbitraries.longs().between(100, MAX_UNITS),
            units(3),
            Arbitraries.longs().between(-1, 1))
        .as(
            (capacity, units, off) ->
                List.of(
                    capacity,
                    units,
                    Math.min(LONGEST_US, CENTURY_US * units / capacity + 1 + off)));
  }

  private static Arbitrary<Function<List<List<Long>>, PlannedStep>> steps(
      ScriptAlgorithm algorithm, int count) {
    Arbitrary<Long> percents =
        Arbitraries.frequency(Tuple.of(8, 100L), Tuple.of(1, 40L), Tuple.of(1, 250L));
    return Combinators.combine(
            Arbitraries.of(PlannedStep.Cost.class),
            Arbitraries.of(PlannedStep.Time.class),
            Arbitraries.longs().between(0, 1_000_000),
            ForeignStates.states(algorithm, count).injectNull(0.92),
            percents)
        .as(
            (cost, time, amount, foreign, percent) ->
                tiers ->
                    new PlannedStep(
                        cost,
                        time,
                        amount,
                        foreign == null ? null : foreign.apply(tiers),
                        percent));
  }
}
