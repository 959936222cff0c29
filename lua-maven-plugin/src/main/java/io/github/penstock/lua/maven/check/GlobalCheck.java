package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Statement;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that every server offers the globals of a script, to EVAL and to Functions.
 *
 * <p>The sets are the common ones of Redis 6.0 to 8 and Valkey 8 and 9, without those that compile
 * text or touch the environment ({@code load}, {@code loadstring}, {@code getfenv}, {@code
 * setfenv}, {@code _G}).
 *
 * <p>A change of a global table that is not named there is not found: through the metatable of
 * strings ({@code getmetatable("").__index}), through a table that a function returned, or by
 * {@code pcall(rawset, ...)}.
 */
public final class GlobalCheck {
  private static final String RULE = "global";
  private static final Set<String> CHANGERS = Set.of("rawset", "setmetatable");
  private static final Set<String> OFFERED =
      Set.of(
          "KEYS",
          "ARGV",
          "redis",
          "cjson",
          "cmsgpack",
          "struct",
          "bit",
          "string",
          "table",
          "math",
          "assert",
          "error",
          "getmetatable",
          "ipairs",
          "next",
          "pairs",
          "pcall",
          "rawequal",
          "rawget",
          "rawset",
          "select",
          "setmetatable",
          "tonumber",
          "tostring",
          "type",
          "unpack",
          "xpcall");
  private static final Map<String, Set<String>> MEMBERS =
      Map.of(
          "redis",
          Set.of(
              "call",
              "pcall",
              "error_reply",
              "status_reply",
              "log",
              "LOG_DEBUG",
              "LOG_VERBOSE",
              "LOG_NOTICE",
              "LOG_WARNING",
              "setresp",
              "set_repl",
              "REPL_ALL",
              "REPL_NONE",
              "REPL_AOF",
              "REPL_SLAVE",
              "REPL_REPLICA",
              "sha1hex"),
          "string",
          Set.of(
              "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep",
              "reverse", "sub", "upper"),
          "table",
          Set.of("concat", "insert", "maxn", "remove", "sort"),
          "math",
          Set.of(
              "abs",
              "acos",
              "asin",
              "atan",
              "atan2",
              "ceil",
              "cos",
              "cosh",
              "deg",
              "exp",
              "floor",
              "fmod",
              "frexp",
              "huge",
              "ldexp",
              "log",
              "log10",
              "max",
              "min",
              "modf",
              "pi",
              "pow",
              "rad",
              "random",
              "randomseed",
              "sin",
              "sinh",
              "sqrt",
              "tan",
              "tanh"));
  private static final Set<String> SINCE_7_0 =
      Set.of("acl_check_cmd", "REDIS_VERSION", "REDIS_VERSION_NUM");

  private final ViolationReport report;
  private final boolean redis7;

  private GlobalCheck(ViolationReport report, boolean redis7) {
    this.report = report;
    this.redis7 = redis7;
  }

  /** Reports globals that a server may not have, and every assignment to one or into one. */
  public static void check(Chunk chunk, ViolationReport report, Optional<String> needs) {
    boolean redis7 = needs.map(v -> Double.parseDouble(v) >= 7.0).orElse(false);
    GlobalCheck check = new GlobalCheck(report, redis7);
    Set<Expression> targets = Collections.newSetFromMap(new IdentityHashMap<>());
    chunk
        .everywhere()
        .filter(Statement.AssignmentStatement.class::isInstance)
        .flatMap(s -> ((Statement.AssignmentStatement) s).targets().stream())
        .forEach(targets::add);
    targets.forEach(check::target);
    chunk.expressions().filter(e -> !isGlobal(e, targets)).forEach(check::expression);
  }

  /** Returns whether this is a global that is assigned, and so has its problem already. */
  private static boolean isGlobal(Expression expression, Set<Expression> targets) {
    return expression instanceof Expression.VariableName && targets.contains(expression);
  }

  private void expression(Expression expression) {
    if (expression instanceof Expression.VariableName name
        && name.local() == null
        && !OFFERED.contains(name.name())) {
      problem(name.line(), name.name() + " is not a global in every Redis");
    } else if (expression instanceof Expression.IndexExpression index) {
      MEMBERS.forEach((table, members) -> member(table, members, index));
    } else if (expression instanceof Expression.FunctionCall call) {
      CHANGERS.stream()
          .filter(changer -> KnownValues.global(call.callee(), changer))
          .forEach(changer -> changed(changer, call));
    }
  }

  private void changed(String changer, Expression.FunctionCall call) {
    OFFERED.stream()
        .filter(table -> !call.arguments().isEmpty())
        .filter(table -> KnownValues.global(call.arguments().get(0), table))
        .forEach(table -> problem(call.line(), changer + " changes the global table " + table));
  }

  private void member(String table, Set<String> members, Expression.IndexExpression index) {
    if (!KnownValues.global(index.object(), table)) {
      return;
    }
    if (!(KnownValues.resolve(index.key()) instanceof Expression.StringLiteral key)) {
      problem(index.line(), "a member of " + table + " that cannot be checked: write its name");
      return;
    }
    boolean known = members.contains(key.value());
    boolean newer = table.equals("redis") && SINCE_7_0.contains(key.value());
    if (newer && !redis7) {
      problem(
          index.line(),
          "redis." + key.value() + " came with Redis 7.0: add a row  Needs  Redis 7.0");
    } else if (!known && !newer) {
      problem(
          index.line(),
          table + "." + key.value() + " is missing in some Redis, or in its Functions");
    }
  }

  private void target(Expression target) {
    Expression root = target;
    while (root instanceof Expression.IndexExpression index) {
      root = index.object();
    }
    if (root instanceof Expression.VariableName name && name.local() == null) {
      problem(
          target.line(),
          root == target
              ? "assignment to the global " + name.name() + ": declare it local"
              : "assignment into the global table " + name.name());
    }
  }

  private void problem(int line, String message) {
    report.add(line, RULE, message);
  }
}
