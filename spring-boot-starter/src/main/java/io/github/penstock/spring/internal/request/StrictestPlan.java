package io.github.penstock.spring.internal.request;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.RefillForm;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/**
 * The plan of a caller with an unknown plan: the one with the lowest rate in the long run, of
 * equals the one with the smallest burst, and then the one whose name sorts first by its bytes.
 */
final class StrictestPlan {
  private static final Comparator<UnitRate> BY_RATE =
      (a, b) -> a.units().multiply(b.micros()).compareTo(b.units().multiply(a.micros()));

  private static final Comparator<Map.Entry<String, Limit>> ORDER =
      Comparator.<Map.Entry<String, Limit>, UnitRate>comparing(
              plan -> rate(plan.getValue()), BY_RATE)
          .thenComparing(plan -> burst(plan.getValue()))
          .thenComparing(
              plan -> plan.getKey().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  /** Units in a number of microseconds. */
  private record UnitRate(BigInteger units, BigInteger micros) {}

  private StrictestPlan() {}

  /** The name of the strictest; there must be at least one. */
  static String of(Map<String, Limit> plans) {
    return plans.entrySet().stream().min(ORDER).orElseThrow().getKey();
  }

  private static UnitRate rate(Limit limit) {
    return limit.tiers().stream()
        .map(tier -> rate(limit.kind().refill(), tier))
        .min(BY_RATE)
        .orElseThrow();
  }

  private static UnitRate rate(RefillForm refill, LimitTier tier) {
    long units =
        refill == RefillForm.IN_BATCHES ? Math.min(tier.units(), tier.capacity()) : tier.units();
    return new UnitRate(BigInteger.valueOf(units), BigInteger.valueOf(tier.periodMicros()));
  }

  private static long burst(Limit limit) {
    return limit.tiers().stream().mapToLong(LimitTier::capacity).min().orElseThrow();
  }
}
