package io.github.penstock.lua.maven.syntax;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An expression of Lua 5.1, with the line (from 1) it starts on. */
public sealed interface Expression {
  int line();

  /** The expressions it is made of; those in a function's body are not among them. */
  default List<Expression> children() {
    return List.of();
  }

  /** {@code nil}, {@code true} or {@code false}. */
  record KeywordLiteral(String text, int line) implements Expression {}

  /** A number in its source text. */
  record NumberLiteral(String text, int line) implements Expression {}

  /** A string, decoded. */
  record StringLiteral(String value, int line) implements Expression {}

  /** The three dots. */
  record VarargExpression(int line) implements Expression {}

  /** An anonymous function. */
  record FunctionBody(Block body, int line) implements Expression {}

  /**
   * A variable: a local one, or a global one if {@code local} is null. Its position is that of its
   * token.
   */
  record VariableName(String name, @Nullable LocalVariable local, int line, int position)
      implements Expression {}

  /** {@code object[key]} or {@code object.key}. */
  record IndexExpression(Expression object, Expression key, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object, key);
    }
  }

  /** {@code callee(arguments)}. */
  record FunctionCall(Expression callee, List<Expression> arguments, int line)
      implements Expression {
    @Override
    public List<Expression> children() {
      return concat(callee, arguments);
    }
  }

  /** {@code object:method(arguments)}. */
  record MethodCall(Expression object, String method, List<Expression> arguments, int line)
      implements Expression {
    @Override
    public List<Expression> children() {
      return concat(object, arguments);
    }
  }

  /** An operator between two operands. */
  record BinaryOperation(String operator, Expression left, Expression right, int line)
      implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(left, right);
    }
  }

  /** {@code not}, {@code -} or {@code #} before an operand. */
  record UnaryOperation(String operator, Expression operand, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** An expression in parentheses, which cut it to one value. */
  record ParenthesizedExpression(Expression inner, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(inner);
    }
  }

  /** A table constructor. */
  record TableConstructor(List<TableField> fields, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return fields.stream()
          .flatMap(f -> Stream.concat(Stream.ofNullable(f.key()), Stream.of(f.value())))
          .toList();
    }
  }

  /** A field of a table constructor; its key is null where the position is the key. */
  record TableField(@Nullable Expression key, Expression value) {}

  private static List<Expression> concat(Expression first, List<Expression> rest) {
    return Stream.concat(Stream.of(first), rest.stream()).toList();
  }
}
