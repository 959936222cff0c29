package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Local;
import io.github.penstock.lua.maven.syntax.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Holds the uses of {@code KEYS} or {@code ARGV} against the rows of the header. */
final class IndexCheck {
  private static final String RULE = "argument";
  private static final int LAST = 0;

  private final String table;
  private final List<Slot> slots;
  private final Report report;
  private final Set<Integer> used = new HashSet<>();
  private final Set<Expression> understood = Collections.newSetFromMap(new IdentityHashMap<>());

  private IndexCheck(String table, Header header, Report report) {
    this.table = table;
    this.slots = header.slots(table);
    this.report = report;
  }

  /** Reports what is used and not described, described and not used, or cannot be told. */
  static void check(String table, Chunk chunk, Header header, Report report) {
    IndexCheck check = new IndexCheck(table, header, report);
    check.understood.addAll(Values.aliased(chunk));
    List<Expression> expressions = chunk.expressions().toList();
    expressions.forEach(check::use);
    expressions.forEach(check::other);
    check.slots.forEach(check::unused);
  }

  private void use(Expression expression) {
    if (expression instanceof Expression.Index index && named(index.object())) {
      understood.add(index.object());
      index(index.key(), index.line());
    } else if (expression instanceof Expression.Unary unary && unary.operator().equals("#")) {
      understood.add(unary.operand());
    } else if (expression instanceof Expression.Call call
        && Values.global(call.callee(), "unpack")) {
      unpack(call);
    }
  }

  private void other(Expression expression) {
    if (named(expression) && !understood.contains(expression)) {
      problem(expression.line(), table + " is used as a value, so its indices cannot be checked");
    }
  }

  private boolean named(Expression expression) {
    return Values.global(expression, table);
  }

  private void unpack(Expression.Call call) {
    List<Expression> arguments = call.arguments();
    if (arguments.isEmpty() || !named(arguments.get(0)) || arguments.size() > 2) {
      return;
    }
    OptionalLong from =
        arguments.size() == 1 ? OptionalLong.of(1) : Values.integer(arguments.get(1));
    if (from.isPresent()) {
      understood.add(arguments.get(0));
      slots.forEach(slot -> mark(slot, from.getAsLong()));
    }
  }

  private void mark(Slot slot, long from) {
    for (int index = slot.first(); index <= slot.last(); index++) {
      if (index >= from || index == LAST) {
        used.add(index);
      }
    }
  }

  private void index(Expression key, int line) {
    OptionalLong constant = Values.integer(key);
    if (constant.isPresent()) {
      constant(constant.getAsLong(), line);
    } else if (Values.length(key, table)) {
      last(line);
    } else if (!counted(key, line)) {
      problem(
          line,
          "an index of "
              + table
              + " that cannot be checked: use a constant, #"
              + table
              + ", or the variable of a for loop over a repeated group");
    }
  }

  private void constant(long index, int line) {
    if (slots.stream().anyMatch(s -> s.covers((int) Math.max(0, Math.min(index, 10_000))))) {
      used.add((int) index);
    } else {
      problem(line, table + "[" + index + "] is used and no row of the header describes it");
    }
  }

  private void last(int line) {
    used.add(LAST);
    if (slots.stream().noneMatch(s -> s.form() == Slot.Form.OPTIONAL)) {
      problem(line, table + "[#" + table + "] is used and the header has no row " + table + "[n]");
    }
  }

  /** Takes {@code v} and {@code v + k} where a loop counts {@code v} over a repeated group. */
  private boolean counted(Expression key, int line) {
    Expression variable = key;
    long offset = 0;
    if (key instanceof Expression.Binary sum && sum.operator().equals("+")) {
      variable = sum.left();
      offset = Values.integer(sum.right()).orElse(-1);
    }
    if (!(variable instanceof Expression.Name name) || name.local() == null || offset < 0) {
      return false;
    }
    Local local = name.local();
    return local.loop() != null && counted(local.loop(), offset, line);
  }

  private boolean counted(Statement.NumericFor loop, long offset, int line) {
    OptionalLong start = Values.integer(loop.start());
    OptionalLong step = loop.step() == null ? OptionalLong.of(1) : Values.integer(loop.step());
    if (start.isEmpty() || step.isEmpty()) {
      return false;
    }
    Slot group =
        slots.stream().filter(s -> s.form() == Slot.Form.REPEATED).findFirst().orElse(null);
    if (group == null || group.first() != start.getAsLong() || group.size() != step.getAsLong()) {
      problem(
          line,
          "a loop from %d in steps of %d, and no repeated row of the header describes %s so"
              .formatted(start.getAsLong(), step.getAsLong(), table));
    } else if (offset >= group.size()) {
      problem(
          line,
          "an index %d after the loop's, but %s has only %d values"
              .formatted(offset, group.label(), group.size()));
    } else {
      used.add((int) (group.first() + offset));
    }
    return true;
  }

  private void unused(Slot slot) {
    for (int i = 0; i < slot.size(); i++) {
      int index = slot.form() == Slot.Form.OPTIONAL ? LAST : slot.first() + i;
      if (!used.contains(index)) {
        String label = index == LAST ? "n" : String.valueOf(index);
        problem(
            slot.line(),
            "%s[%s] %s is described and not used".formatted(table, label, slot.names().get(i)));
      }
    }
  }

  private void problem(int line, String message) {
    report.add(line, RULE, message);
  }
}
