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
  record Constant(String text, int line) implements Expression {}

  /** A number in its source text. */
  record Number(String text, int line) implements Expression {}

  /** A string, decoded. */
  record Text(String value, int line) implements Expression {}

  /** The three dots. */
  record Vararg(int line) implements Expression {}

  /** An anonymous function. */
  record Function(Block body, int line) implements Expression {}

  /** A variable: a local one, or a global one if {@code local} is null. */
  record Name(String name, @Nullable Local local, int line) implements Expression {}

  /** {@code object[key]} or {@code object.key}. */
  record Index(Expression object, Expression key, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object, key);
    }
  }

  /** {@code callee(arguments)}. */
  record Call(Expression callee, List<Expression> arguments, int line) implements Expression {
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
  record Binary(String operator, Expression left, Expression right, int line)
      implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(left, right);
    }
  }

  /** {@code not}, {@code -} or {@code #} before an operand. */
  record Unary(String operator, Expression operand, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** An expression in parentheses, which cut it to one value. */
  record Parenthesized(Expression inner, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(inner);
    }
  }

  /** A table constructor. */
  record Table(List<Field> fields, int line) implements Expression {
    @Override
    public List<Expression> children() {
      return fields.stream()
          .flatMap(f -> Stream.concat(Stream.ofNullable(f.key()), Stream.of(f.value())))
          .toList();
    }
  }

  /** A field of a table constructor; its key is null where the position is the key. */
  record Field(@Nullable Expression key, Expression value) {}

  private static List<Expression> concat(Expression first, List<Expression> rest) {
    return Stream.concat(Stream.of(first), rest.stream()).toList();
  }
}
