package io.github.penstock.simulator.record;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.simulator.record.SubjectRule.Role;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cost of a request: a number, {@code bytes[/DIVISOR]} (the response's), or {@code
 * field:NAME[+field:NAME][/DIVISOR]}; rounded up, at least 1.
 */
public final class CostRule {
  private static final Pattern RULE =
      Pattern.compile("(?:(\\d{1,13})|bytes|field:(.+?))(?:/([1-9]\\d{0,11}))?");
  private final String text;
  private final long constant;
  private final String field;
  private final BigDecimal divisor;

  /** Throws an IllegalArgumentException that names the rule. */
  public CostRule(String text) {
    Matcher rule = RULE.matcher(text);
    if (!rule.matches() || rule.group(1) != null && rule.group(3) != null) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' must be a number, bytes, field:NAME, field:A+field:B, or one of these with"
              + " /DIVISOR, such as bytes/1024; a divisor is from 1 to 10^12");
    }
    this.text = text;
    constant = rule.group(1) == null ? 0 : Long.parseLong(rule.group(1));
    if (rule.group(1) != null && (constant < 1 || constant > Limit.MAX_UNITS)) {
      throw new IllegalArgumentException("'" + text + "' must be from 1 to " + Limit.MAX_UNITS);
    }
    field = rule.group(2) == null ? "" : rule.group(2);
    divisor = new BigDecimal(rule.group(3) == null ? "1" : rule.group(3));
  }

  /** Units; 0 if the field that was named has no value. A response without bytes costs 1. */
  public long of(RecordFields fields, FieldNames names) throws UnreadableRecordException {
    if (constant > 0) {
      return constant;
    }
    if (field.isEmpty()) {
      String bytes = names.value(fields, Role.BYTES);
      return bytes == null ? 1 : units(bytes);
    }
    String sum = names.sum(fields, field);
    return sum == null ? 0 : units(sum);
  }

  private long units(String value) throws UnreadableRecordException {
    try {
      BigDecimal number = new BigDecimal(value);
      // The digits before the point; an exponent may be anything, and dividing writes all of them
      // out.
      long digits = (long) number.precision() - number.scale();
      if (number.signum() == 0 || number.signum() > 0 && digits <= 0) {
        return 1;
      }
      if (number.signum() > 0 && digits <= 18) {
        long units = number.divide(divisor, 0, RoundingMode.CEILING).longValueExact();
        if (units <= Limit.MAX_UNITS) {
          return Math.max(1, units);
        }
      }
      throw new UnreadableRecordException("the cost must be from 0 to 10^12 units: " + value);
    } catch (NumberFormatException wrong) {
      throw new UnreadableRecordException("the cost is not a number: " + value);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
