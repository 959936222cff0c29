package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values of expressions as far as they are known without running the script. */
final class KnownValues {
  private KnownValues() {}

  /** The expression behind parentheses and behind local variables that never change. */
  static Expression resolve(Expression expression) {
    if (expression instanceof Expression.ParenthesizedExpression parenthesized) {
      return resolve(parenthesized.inner());
    }
    if (expression instanceof Expression.VariableName name
        && name.local() != null
        && name.local().constant() != null) {
      return resolve(name.local().constant());
    }
    return expression;
  }

  /** The integer that an expression always is. */
  static OptionalLong integer(Expression expression) {
    Expression value = resolve(expression);
    if (value instanceof Expression.NumberLiteral number) {
      return number.text().matches("\\d{1,15}")
          ? OptionalLong.of(Long.parseLong(number.text()))
          : OptionalLong.empty();
    }
    if (value instanceof Expression.BinaryOperation binary) {
      OptionalLong left = integer(binary.left());
      OptionalLong right = integer(binary.right());
      return left.isPresent() && right.isPresent()
          ? calculate(binary.operator(), left.getAsLong(), right.getAsLong())
          : OptionalLong.empty();
    }
    return OptionalLong.empty();
  }

  private static OptionalLong calculate(String operator, long left, long right) {
    return switch (operator) {
      case "+" -> OptionalLong.of(left + right);
      case "-" -> OptionalLong.of(left - right);
      case "*" ->
          Math.max(Math.abs(left), Math.abs(right)) < 1_000_000_000L
              ? OptionalLong.of(left * right)
              : OptionalLong.empty();
      default -> OptionalLong.empty();
    };
  }

  /**
   * The expressions that become other names: the initial values of local variables that never
   * change.
   */
  static List<Expression> aliased(Chunk chunk) {
    return chunk
        .everywhere()
        .filter(Statement.LocalDeclaration.class::isInstance)
        .flatMap(s -> ((Statement.LocalDeclaration) s).locals().stream())
        .flatMap(local -> Stream.ofNullable(local.constant()))
        .toList();
  }

  /** Returns whether an expression is the global variable of a name. */
  static boolean global(Expression expression, String name) {
    return resolve(expression) instanceof Expression.VariableName variable
        && variable.local() == null
        && variable.name().equals(name);
  }

  /** Returns whether an expression is the length of the global table of a name. */
  static boolean length(Expression expression, String table) {
    return resolve(expression) instanceof Expression.UnaryOperation unary
        && unary.operator().equals("#")
        && global(unary.operand(), table);
  }

  /** The member of a global table that an expression is; null if it is none. */
  static @Nullable String member(Expression expression, String table) {
    return resolve(expression) instanceof Expression.IndexExpression index
            && global(index.object(), table)
            && resolve(index.key()) instanceof Expression.StringLiteral key
        ? key.value()
        : null;
  }
}
