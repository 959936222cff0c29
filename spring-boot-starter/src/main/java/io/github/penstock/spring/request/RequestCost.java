package io.github.penstock.spring.request;

import io.github.penstock.core.limit.Limit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * What a request costs: a number, or an expression whose value is one. A value that is no whole
 * number of at least 1 counts as 1. Immutable.
 */
public final class RequestCost {
  private final long number;
  private final @Nullable RequestExpression expression;

  private RequestCost(long number, @Nullable RequestExpression expression) {
    this.number = number;
    this.expression = expression;
  }

  /**
   * Reads a cost as configuration has it.
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
   * Reads a cost that does not depend on a request.
   *
   * @throws IllegalArgumentException if it is no number from 1 to 10^12
   */
  public static long number(String text) {
    if (!text.matches("[1-9][0-9]{0,12}") || Long.parseLong(text) > Limit.MAX_UNITS) {
      throw new IllegalArgumentException(
          "must be a whole number from 1 to " + Limit.MAX_UNITS + " or an expression: " + text);
    }
    return Long.parseLong(text);
  }

  long of(Object request) {
    return expression == null ? number : units(expression.value(request));
  }

  /** The units that are charged for a value: 1 for what is no whole number of at least 1. */
  public static long units(@Nullable Object value) {
    if (value instanceof Number number
        && (value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte)) {
      return Math.max(1, Math.min(number.longValue(), Limit.MAX_UNITS));
    }
    return 1;
  }
}
