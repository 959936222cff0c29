package io.github.penstock.operations.state;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * How much of one tier, bucket or counter is used at a time.
 *
 * @param used units
 * @param remaining units; null if the limit is not known
 * @param turnInS seconds until a call that is charged now would go ahead; 0 except in a leaky
 *     bucket
 * @param unusedInS seconds until it is entirely unused
 */
public record TierUse(
    BigDecimal used, @Nullable BigDecimal remaining, BigDecimal turnInS, BigDecimal unusedInS) {
  private static final int MICROS = 6;

  /** Whole units, and times in microseconds. */
  static TierUse exact(long used, @Nullable Long remaining, long turnInUs, long unusedInUs) {
    return new TierUse(
        BigDecimal.valueOf(used),
        remaining == null ? null : BigDecimal.valueOf(remaining),
        seconds(turnInUs),
        seconds(unusedInUs));
  }

  /** Units with a fraction, and a time in seconds, shown to six decimals. */
  static TierUse rounded(double used, double limit, double unusedInS) {
    return new TierUse(
        shown(used), shown(Math.max(0, limit - used)), BigDecimal.ZERO, shown(unusedInS));
  }

  private static BigDecimal seconds(long us) {
    return plain(BigDecimal.valueOf(us, MICROS));
  }

  private static BigDecimal shown(double number) {
    return plain(BigDecimal.valueOf(number).setScale(MICROS, RoundingMode.HALF_UP));
  }

  private static BigDecimal plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }
}
