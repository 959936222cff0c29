package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.header.HeaderSlot;
import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.LocalVariable;
import io.github.penstock.lua.maven.syntax.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Checks the uses of {@code KEYS} or {@code ARGV} against the rows of the header. */
public final class IndexCheck {
  private static final String RULE = "argument";
  private static final int LAST = 0;

  private final String table;
  private final List<HeaderSlot> slots;
  private final ViolationReport report;
  private final Set<Integer> used = new HashSet<>();
  private final Set<Expression> understood = Collections.newSetFromMap(new IdentityHashMap<>());

  private IndexCheck(String table, ScriptHeader header, ViolationReport report) {
    this.table = table;
    this.slots = header.slots(table);
    this.report = report;
  }

  /**
   * Reports indices that are used and not described, described and not used, or unknown before the
   * script runs.
   */
  public static void check(String table, Chunk chunk, ScriptHeader header, ViolationReport report) {
    IndexCheck check = new IndexCheck(table, header, report);
    check.understood.addAll(KnownValues.aliased(chunk));
    List<Expression> expressions = chunk.expressions().toList();
    expressions.forEach(check::use);
    expressions.forEach(check::other);
    check.slots.forEach(check::unused);
  }

  private void use(Expression expression) {
    if (expression instanceof Expression.IndexExpression index && named(index.object())) {
      understood.add(index.object());
      index(index.key(), index.line());
    } else if (expression instanceof Expression.UnaryOperation unary
        && unary.operator().equals("#")) {
      understood.add(unary.operand());
    } else if (expression instanceof Expression.FunctionCall call
        && KnownValues.global(call.callee(), "unpack")) {
      unpack(call);
    }
  }

  private void other(Expression expression) {
    if (named(expression) && !understood.contains(expression) && !open()) {
      problem(expression.line(), table + " is used as a value, so its indices cannot be checked");
    }
  }

  private boolean named(Expression expression) {
    return KnownValues.global(expression, table);
  }

  private void unpack(Expression.FunctionCall call) {
    List<Expression> arguments = call.arguments();
    if (arguments.isEmpty() || !named(arguments.get(0)) || arguments.size() > 2) {
      return;
    }
    OptionalLong from =
        arguments.size() == 1 ? OptionalLong.of(1) : KnownValues.integer(arguments.get(1));
    if (from.isPresent()) {
      understood.add(arguments.get(0));
      slots.forEach(slot -> mark(slot, from.getAsLong()));
    }
  }

  /**
   * Accepts any use from the first index of an open row on: the checker cannot know its content.
   */
  private boolean open() {
    slots.stream().filter(HeaderSlot::isOpen).forEach(slot -> mark(slot, slot.first()));
    return slots.stream().anyMatch(HeaderSlot::isOpen);
  }

  private void mark(HeaderSlot slot, long from) {
    for (int index = slot.first(); index <= slot.last(); index++) {
      if (index >= from || index == LAST) {
        used.add(index);
      }
    }
  }

  private void index(Expression key, int line) {
    OptionalLong constant = KnownValues.integer(key);
    if (constant.isPresent()) {
      constant(constant.getAsLong(), line);
    } else if (KnownValues.length(key, table)) {
      last(line);
    } else if (!open() && !counted(key, line)) {
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
      problem(line, table + "[" + index + "] is used, but no row of the header describes it");
    }
  }

  private void last(int line) {
    used.add(LAST);
    if (!open() && slots.stream().noneMatch(s -> s.form() == HeaderSlot.SlotForm.OPTIONAL)) {
      problem(line, table + "[#" + table + "] is used, but the header has no row " + table + "[n]");
    }
  }

  /** Takes {@code v} and {@code v + k} where a loop counts {@code v} over a repeated group. */
  private boolean counted(Expression key, int line) {
    Expression variable = key;
    long offset = 0;
    if (key instanceof Expression.BinaryOperation sum && sum.operator().equals("+")) {
      variable = sum.left();
      offset = KnownValues.integer(sum.right()).orElse(-1);
    }
    if (!(variable instanceof Expression.VariableName name) || name.local() == null || offset < 0) {
      return false;
    }
    LocalVariable local = name.local();
    return local.loop() != null && counted(local.loop(), offset, line);
  }

  private boolean counted(Statement.NumericFor loop, long offset, int line) {
    OptionalLong start = KnownValues.integer(loop.start());
    OptionalLong step = loop.step() == null ? OptionalLong.of(1) : KnownValues.integer(loop.step());
    if (start.isEmpty() || step.isEmpty()) {
      return false;
    }
    HeaderSlot group =
        slots.stream()
            .filter(s -> s.form() == HeaderSlot.SlotForm.REPEATED)
            .findFirst()
            .orElse(null);
    if (group == null || group.first() != start.getAsLong() || group.size() != step.getAsLong()) {
      problem(
          line,
          "the loop goes from %d in steps of %d, but no repeated row of %s does"
              .formatted(start.getAsLong(), step.getAsLong(), table));
    } else if (offset >= group.size()) {
      problem(
          line,
          "the index is %d past the loop's variable, but %s has only %d values"
              .formatted(offset, group.label(), group.size()));
    } else {
      used.add((int) (group.first() + offset));
    }
    return true;
  }

  private void unused(HeaderSlot slot) {
    for (int i = 0; i < slot.size(); i++) {
      int index = slot.form() == HeaderSlot.SlotForm.OPTIONAL ? LAST : slot.first() + i;
      if (!used.contains(index)) {
        String label = index == LAST ? "n" : String.valueOf(index);
        problem(
            slot.line(),
            "%s[%s] %s is described, but not used".formatted(table, label, slot.names().get(i)));
      }
    }
  }

  private void problem(int line, String message) {
    report.add(line, RULE, message);
  }
}
