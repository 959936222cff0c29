package io.github.penstock.spring.internal.request;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.internal.subject.ScarceLog;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * The cost of a request: a number, or an expression with a number of any type or as a text. A value
 * that is not a whole number of at least 1 counts as 1, and is logged. Immutable.
 */
public final class RequestCost {
  private static final ScarceLog LOG = new ScarceLog();
  private static final BigDecimal MOST = BigDecimal.valueOf(Limit.MAX_UNITS);
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,300}(\\.0{0,100})?");

  private final long number;
  private final @Nullable RequestExpression expression;

  private RequestCost(long number, @Nullable RequestExpression expression) {
    this.number = number;
    this.expression = expression;
  }

  /**
   * Parses a cost from configuration.
   *
   * @throws IllegalArgumentException if it is neither a number from 1 to 10^12 nor an expression
   */
  public static RequestCost parse(String text, BeanFactory beans) {
    if (RequestExpression.isOne(text)) {
      return new RequestCost(1, RequestExpression.of(text, beans));
    }
    return new RequestCost(number(text), null);
  }

  /**
   * Parses a cost that does not depend on a request.
   *
   * @throws IllegalArgumentException if it is not a number from 1 to 10^12
   */
  public static long number(String text) {
    if (!text.matches("[1-9][0-9]{0,12}") || Long.parseLong(text) > Limit.MAX_UNITS) {
      throw new IllegalArgumentException(
          "must be a whole number from 1 to " + Limit.MAX_UNITS + " or an expression: " + text);
    }
    return Long.parseLong(text);
  }

  long of(Object request) {
    return expression == null ? number : units(expression.value(request), expression);
  }

  /**
   * The units that are charged for a value: a whole number of any type, also as a text, at most
   * 10^12. Any other value counts as 1, which is logged at most once a second.
   *
   * @param expression for the log
   */
  public static long units(@Nullable Object value, Object expression) {
    BigDecimal units = decimal(value);
    if (units == null || units.signum() <= 0 || !isWhole(units)) {
      String type = value == null ? "null" : "a " + value.getClass().getName();
      LOG.log(
          Level.WARNING,
          "the expression " + expression + " gave no whole number of at least 1, but " + type);
      return 1;
    }
    return units.min(MOST).longValueExact();
  }

  private static @Nullable BigDecimal decimal(@Nullable Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal;
    }
    if (!(value instanceof Number || value instanceof CharSequence)) {
      return null;
    }
    String text = value.toString().strip();
    if (value instanceof CharSequence && !WHOLE.matcher(text).matches()) {
      return null;
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException notFinite) {
      return null;
    }
  }

  /* Without the digits of a number far above the bound. */
  private static boolean isWhole(BigDecimal units) {
    return units.compareTo(MOST) >= 0 || units.stripTrailingZeros().scale() <= 0;
  }
}
