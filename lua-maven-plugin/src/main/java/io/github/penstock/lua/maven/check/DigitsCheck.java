package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds times in microseconds that would lose digits: Lua writes a number with 14 of them, and such
 * a time has 16.
 *
 * <p>A time is a local variable whose name ends in {@code _us}, or a calculation with one.
 */
public final class DigitsCheck {
  private static final List<String> ARITHMETIC = List.of("+", "-", "*", "/", "%");

  private DigitsCheck() {}

  /** Reports times that {@code ..} or {@code tostring} would turn into text. */
  public static void check(Chunk chunk, ViolationReport report) {
    chunk
        .expressions()
        .flatMap(DigitsCheck::written)
        .filter(DigitsCheck::time)
        .forEach(
            e ->
                report.add(
                    e.line(),
                    "digits",
                    "a time keeps 14 of its 16 digits here: use string.format(\"%d\", ...)"));
  }

  private static Stream<Expression> written(Expression expression) {
    if (expression instanceof Expression.BinaryOperation binary && binary.operator().equals("..")) {
      return Stream.of(binary.left(), binary.right());
    }
    return expression instanceof Expression.FunctionCall call
            && KnownValues.global(call.callee(), "tostring")
        ? call.arguments().stream()
        : Stream.empty();
  }

  private static boolean time(Expression expression) {
    if (expression instanceof Expression.VariableName name) {
      return name.local() != null && name.name().endsWith("_us");
    }
    if (expression instanceof Expression.ParenthesizedExpression parenthesized) {
      return time(parenthesized.inner());
    }
    return expression instanceof Expression.BinaryOperation binary
        && ARITHMETIC.contains(binary.operator())
        && (time(binary.left()) || time(binary.right()));
  }
}
