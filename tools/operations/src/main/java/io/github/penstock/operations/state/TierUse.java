package io.github.penstock.operations.state;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How much of one tier is used at a time.
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

  private static BigDecimal seconds(long us) {
    return plain(BigDecimal.valueOf(us, MICROS));
  }

  private static BigDecimal plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }
}
