package io.github.penstock.compat.dropin;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as C's printf writes them. */
final class PrintfNumber {
  private PrintfNumber() {}

  /** As {@code %.9f}. */
  static String nineDecimals(double value) {
    return new BigDecimal(value).setScale(9, RoundingMode.HALF_EVEN).toPlainString();
  }

  /** As {@code %.<digits>g}. */
  static String general(double value, int digits) {
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded =
        new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < digits) {
      return rounded.stripTrailingZeros().toPlainString();
    }
    BigDecimal mantissa = rounded.scaleByPowerOfTen(-exponent).stripTrailingZeros();
    return "%se%s%02d"
        .formatted(mantissa.toPlainString(), exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
