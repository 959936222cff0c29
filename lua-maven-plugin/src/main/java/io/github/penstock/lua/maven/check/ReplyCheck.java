package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.header.HeaderSlot;
import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.Block;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Statement;
import java.util.List;
import java.util.Set;

/** Checks every {@code return} of a script against the replies that its header describes. */
public final class ReplyCheck {
  private static final String RULE = "reply";
  private static final Set<String> ONE_VALUE = Set.of("tonumber", "tostring", "type");

  private final ScriptHeader header;
  private final ViolationReport report;

  private ReplyCheck(ScriptHeader header, ViolationReport report) {
    this.header = header;
    this.report = report;
  }

  /** Reports replies of another length, and those whose length cannot be told. */
  public static void check(Chunk chunk, ScriptHeader header, ViolationReport report) {
    ReplyCheck check = new ReplyCheck(header, report);
    chunk
        .statements()
        .filter(Statement.ReturnStatement.class::isInstance)
        .forEach(s -> check.reply((Statement.ReturnStatement) s));
    if (!ends(chunk.block())) {
      report.add(chunk.block().line(), RULE, "the script can end without a reply");
    }
  }

  private static boolean ends(Block block) {
    List<Statement> statements = block.statements();
    Statement last = statements.isEmpty() ? null : statements.get(statements.size() - 1);
    if (last instanceof Statement.BranchStatement branches) {
      boolean always = branches.blocks().size() > branches.conditions().size();
      return always && branches.blocks().stream().allMatch(ReplyCheck::ends);
    }
    return last instanceof Statement.ReturnStatement;
  }

  private void reply(Statement.ReturnStatement statement) {
    if (statement.values().size() != 1) {
      problem(statement.line(), "a script returns one value, not " + statement.values().size());
      return;
    }
    Expression value = statement.values().get(0);
    if (error(value)) {
      return;
    }
    boolean table = value instanceof Expression.TableConstructor;
    if (!table && header.replies().stream().anyMatch(HeaderSlot::isOpen)) {
      return;
    }
    if (header.singleReply() == table) {
      problem(
          value.line(),
          table
              ? "the reply is a list, but the header describes one value"
              : "the length of this reply cannot be checked: return {...}");
    } else if (table) {
      items((Expression.TableConstructor) value);
    }
  }

  private void items(Expression.TableConstructor table) {
    List<Expression.TableField> fields = table.fields();
    if (fields.stream().anyMatch(f -> f.key() != null)) {
      problem(table.line(), "a reply is a list: it has no named fields");
      return;
    }
    int expected = header.replies().size();
    if (fields.size() != expected) {
      problem(
          table.line(),
          "the reply has "
              + fields.size()
              + (fields.size() == 1 ? " value" : " values")
              + ", but the header describes "
              + expected);
    }
    for (int i = 0; i < fields.size(); i++) {
      Expression item = fields.get(i).value();
      if (item instanceof Expression.KeywordLiteral constant && constant.text().equals("nil")) {
        problem(item.line(), "a nil ends a reply early");
      } else if (i == fields.size() - 1 && many(item)) {
        problem(item.line(), "the last item may be any number of values: put it into parentheses");
      }
    }
  }

  private static boolean many(Expression item) {
    if (item instanceof Expression.FunctionCall call) {
      boolean one =
          ONE_VALUE.stream().anyMatch(name -> KnownValues.global(call.callee(), name))
              || KnownValues.member(call.callee(), "redis") != null
              || KnownValues.member(call.callee(), "math") != null
              || "format".equals(KnownValues.member(call.callee(), "string"));
      return !one;
    }
    return item instanceof Expression.MethodCall || item instanceof Expression.VarargExpression;
  }

  /**
   * Returns whether a value is an error reply: built by Redis, by hand, or by a function that
   * returns nothing else.
   */
  private static boolean error(Expression value) {
    if (value instanceof Expression.TableConstructor table) {
      return table.fields().stream()
          .anyMatch(
              f -> f.key() instanceof Expression.StringLiteral key && key.value().equals("err"));
    }
    if (!(value instanceof Expression.FunctionCall call)) {
      return false;
    }
    if ("error_reply".equals(KnownValues.member(call.callee(), "redis"))) {
      return true;
    }
    return KnownValues.resolve(call.callee()) instanceof Expression.FunctionBody function
        && errorsOnly(function);
  }

  private static boolean errorsOnly(Expression.FunctionBody function) {
    return ends(function.body())
        && Chunk.statements(function.body())
            .filter(Statement.ReturnStatement.class::isInstance)
            .map(s -> ((Statement.ReturnStatement) s).values())
            .allMatch(v -> v.size() == 1 && error(v.get(0)));
  }

  private void problem(int line, String message) {
    report.add(line, RULE, message);
  }
}
