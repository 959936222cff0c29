package io.github.penstock.simulator.record;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number that every record of a log has: {@code field:NAME[+field:NAME][/DIVISOR]}, or one number
 * for all. A record without it cannot be used.
 */
public final class NumberRule {
  private static final Pattern RULE =
      Pattern.compile("(?:(\\d{1,13})|field:(.+?)(?:/([1-9]\\d{0,11}))?)");
  private static final int MOST_DIGITS = 18;
  private final String text;
  private final String constant;
  private final String field;
  private final BigDecimal divisor;

  /** Throws an IllegalArgumentException that names the rule. */
  public NumberRule(String text) {
    Matcher rule = RULE.matcher(text);
    if (!rule.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' must be a whole number, field:NAME, field:A+field:B, or these with /DIVISOR");
    }
    this.text = text;
    constant = rule.group(1) == null ? "" : rule.group(1);
    field = rule.group(2) == null ? "" : rule.group(2);
    divisor = new BigDecimal(rule.group(3) == null ? "1" : rule.group(3));
  }

  /**
   * The number times a scale, rounded up.
   *
   * @param name the reader's name for it
   * @param least and {@code most}: its bounds before it is scaled
   */
  public long of(
      RecordFields fields, FieldNames names, String name, long scale, long least, long most)
      throws UnreadableRecordException {
    String value = constant.isEmpty() ? names.sum(fields, field) : constant;
    if (value == null) {
      throw new UnreadableRecordException("field '" + field + "' must hold the " + name);
    }
    BigDecimal number = number(value);
    if (number != null
        && number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(most)) <= 0) {
      BigDecimal scaled = number.multiply(BigDecimal.valueOf(scale));
      return scaled.setScale(0, RoundingMode.CEILING).longValueExact();
    }
    throw new UnreadableRecordException(
        "the %s must be a number from %d to %d: %s".formatted(name, least, most, value));
  }

  /* Null if it is none, or has more digits than any number that may be given. */
  private @Nullable BigDecimal number(String value) {
    try {
      BigDecimal number = new BigDecimal(value);
      boolean fits = Math.abs((long) number.scale()) <= MOST_DIGITS;
      boolean sane = fits && number.precision() <= 2 * MOST_DIGITS;
      return sane ? number.divide(divisor, MOST_DIGITS, RoundingMode.CEILING) : null;
    } catch (NumberFormatException wrong) {
      return null;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
