package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds the commands that a script sends to the server. */
public final class CommandCheck {
  private static final String RULE = "command";

  private final ViolationReport report;
  private final SortedSet<String> commands = new TreeSet<>();
  private final Set<Expression> understood = Collections.newSetFromMap(new IdentityHashMap<>());

  private CommandCheck(ViolationReport report) {
    this.report = report;
  }

  /** The commands, in upper case. A call whose command cannot be known is reported. */
  public static SortedSet<String> commands(Chunk chunk, ViolationReport report) {
    CommandCheck check = new CommandCheck(report);
    check.understood.addAll(KnownValues.aliased(chunk));
    List<Expression> expressions = chunk.expressions().toList();
    expressions.forEach(check::call);
    expressions.forEach(check::other);
    return check.commands;
  }

  private void call(Expression expression) {
    if (expression instanceof Expression.IndexExpression index) {
      understood.add(index.object());
    }
    if (expression instanceof Expression.FunctionCall call && sends(call.callee())) {
      understood.add(call.callee());
      Expression first =
          call.arguments().isEmpty() ? call : KnownValues.resolve(call.arguments().get(0));
      if (first instanceof Expression.StringLiteral name) {
        commands.add(name.value().toUpperCase(Locale.ROOT));
      } else {
        report.add(
            call.line(), RULE, "a command that cannot be known: its name must be a constant");
      }
    }
  }

  private void other(Expression expression) {
    boolean hides = sends(expression) || KnownValues.global(expression, "redis");
    if (hides && !understood.contains(expression)) {
      report.add(
          expression.line(), RULE, "redis.call is passed on, so its commands cannot be known");
    }
  }

  private static boolean sends(Expression expression) {
    String member = KnownValues.member(expression, "redis");
    return "call".equals(member) || "pcall".equals(member);
  }
}
