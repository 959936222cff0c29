package io.github.penstock.lua.maven.syntax;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A statement of Lua 5.1, with the line (from 1) it starts on. */
public sealed interface Statement {
  int line();

  /** The expressions that occur in it directly, not in its blocks. */
  default List<Expression> expressions() {
    return List.of();
  }

  /** The blocks that belong to the same function. */
  default List<Block> blocks() {
    return List.of();
  }

  /** {@code local names = values}. */
  record LocalDeclaration(List<LocalVariable> locals, List<Expression> values, int line)
      implements Statement {
    @Override
    public List<Expression> expressions() {
      return values;
    }
  }

  /** {@code local function name}. */
  record LocalFunction(LocalVariable local, Expression.FunctionBody function, int line)
      implements Statement {
    @Override
    public List<Expression> expressions() {
      return List.of(function);
    }
  }

  /** {@code targets = values}; {@code function name} is one, too. */
  record AssignmentStatement(List<Expression> targets, List<Expression> values, int line)
      implements Statement {
    @Override
    public List<Expression> expressions() {
      return Stream.concat(targets.stream(), values.stream()).toList();
    }
  }

  /** A call whose results are dropped. */
  record CallStatement(Expression call, int line) implements Statement {
    @Override
    public List<Expression> expressions() {
      return List.of(call);
    }
  }

  /** {@code do}, {@code while}, {@code repeat} and {@code if}: conditions and blocks. */
  record BranchStatement(String keyword, List<Expression> conditions, List<Block> blocks, int line)
      implements Statement {
    @Override
    public List<Expression> expressions() {
      return conditions;
    }
  }

  /** {@code for local = start, limit, step}. */
  record NumericFor(
      LocalVariable local,
      Expression start,
      Expression limit,
      @Nullable Expression step,
      Block body,
      int line)
      implements Statement {
    @Override
    public List<Expression> expressions() {
      return Stream.concat(Stream.of(start, limit), Stream.ofNullable(step)).toList();
    }

    @Override
    public List<Block> blocks() {
      return List.of(body);
    }
  }

  /** {@code for locals in values}. */
  record GenericFor(List<LocalVariable> locals, List<Expression> values, Block body, int line)
      implements Statement {
    @Override
    public List<Expression> expressions() {
      return values;
    }

    @Override
    public List<Block> blocks() {
      return List.of(body);
    }
  }

  /** {@code return values}. */
  record ReturnStatement(List<Expression> values, int line) implements Statement {
    @Override
    public List<Expression> expressions() {
      return values;
    }
  }

  /** {@code break}. */
  record BreakStatement(int line) implements Statement {}
}
