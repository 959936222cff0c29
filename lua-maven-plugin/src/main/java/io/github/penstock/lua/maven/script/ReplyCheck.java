package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.syntax.Block;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Statement;
import java.util.List;
import java.util.Set;

/** Holds every {@code return} of a script against the replies that its header describes. */
final class ReplyCheck {
  private static final String RULE = "reply";
  private static final Set<String> ONE_VALUE = Set.of("tonumber", "tostring", "type");

  private final Header header;
  private final Report report;

  private ReplyCheck(Header header, Report report) {
    this.header = header;
    this.report = report;
  }

  /** Reports replies of another length, and those whose length cannot be told. */
  static void check(Chunk chunk, Header header, Report report) {
    ReplyCheck check = new ReplyCheck(header, report);
    chunk
        .statements()
        .filter(Statement.Return.class::isInstance)
        .forEach(s -> check.reply((Statement.Return) s));
    if (!ends(chunk.block())) {
      report.add(chunk.block().line(), RULE, "the script can end without a reply");
    }
  }

  private static boolean ends(Block block) {
    List<Statement> statements = block.statements();
    Statement last = statements.isEmpty() ? null : statements.get(statements.size() - 1);
    if (last instanceof Statement.Branches branches) {
      boolean always = branches.blocks().size() > branches.conditions().size();
      return always && branches.blocks().stream().allMatch(ReplyCheck::ends);
    }
    return last instanceof Statement.Return;
  }

  private void reply(Statement.Return statement) {
    if (statement.values().size() != 1) {
      problem(statement.line(), "a script returns one value, not " + statement.values().size());
      return;
    }
    Expression value = statement.values().get(0);
    if (error(value)) {
      return;
    }
    boolean table = value instanceof Expression.Table;
    if (header.singleReply() == table) {
      problem(
          value.line(),
          table
              ? "a list, and the header describes one value"
              : "a reply whose length cannot be checked: return a table constructor");
    } else if (table) {
      items((Expression.Table) value);
    }
  }

  private void items(Expression.Table table) {
    List<Expression.Field> fields = table.fields();
    if (fields.stream().anyMatch(f -> f.key() != null)) {
      problem(table.line(), "a reply is a list: it has no named fields");
      return;
    }
    int expected = header.replies().size();
    if (fields.size() != expected) {
      problem(
          table.line(),
          "a reply of "
              + fields.size()
              + (fields.size() == 1 ? " value" : " values")
              + ", and the header describes "
              + expected);
    }
    for (int i = 0; i < fields.size(); i++) {
      Expression item = fields.get(i).value();
      if (item instanceof Expression.Constant constant && constant.text().equals("nil")) {
        problem(item.line(), "a nil ends a reply early");
      } else if (i == fields.size() - 1 && many(item)) {
        problem(item.line(), "the last item may be any number of values: put it into parentheses");
      }
    }
  }

  private static boolean many(Expression item) {
    if (item instanceof Expression.Call call) {
      boolean one =
          ONE_VALUE.stream().anyMatch(name -> Values.global(call.callee(), name))
              || Values.member(call.callee(), "redis") != null
              || Values.member(call.callee(), "math") != null
              || "format".equals(Values.member(call.callee(), "string"));
      return !one;
    }
    return item instanceof Expression.MethodCall || item instanceof Expression.Vararg;
  }

  /**
   * Whether a value is an error reply: built by Redis, by hand, or by a function that returns
   * nothing else.
   */
  private static boolean error(Expression value) {
    if (value instanceof Expression.Table table) {
      return table.fields().stream()
          .anyMatch(f -> f.key() instanceof Expression.Text key && key.value().equals("err"));
    }
    if (!(value instanceof Expression.Call call)) {
      return false;
    }
    if ("error_reply".equals(Values.member(call.callee(), "redis"))) {
      return true;
    }
    return Values.resolve(call.callee()) instanceof Expression.Function function
        && errorsOnly(function);
  }

  private static boolean errorsOnly(Expression.Function function) {
    return ends(function.body())
        && Chunk.statements(function.body())
            .filter(Statement.Return.class::isInstance)
            .map(s -> ((Statement.Return) s).values())
            .allMatch(v -> v.size() == 1 && error(v.get(0)));
  }

  private void problem(int line, String message) {
    report.add(line, RULE, message);
  }
}
