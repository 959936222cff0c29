package io.github.penstock.lua.maven.syntax;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads a script as Lua 5.1, the language of Redis, and resolves every name. Names the constructs
 * that only later versions of Lua accept: labels, goto, empty statements, a break before other
 * statements.
 */
public final class Parser {
  private final TokenCursor tokens;
  private final VariableScopes scopes = new VariableScopes();
  private final ExpressionParser expressions;

  private Parser(List<Token> read) {
    tokens = new TokenCursor(read);
    expressions = new ExpressionParser(tokens, scopes, () -> functionBody(false));
  }

  /**
   * Reads a whole script.
   *
   * @throws SyntaxProblem the first place that Lua 5.1 does not accept
   */
  public static Chunk parse(String text) {
    Lexer.LexedText read = Lexer.read(text);
    for (SyntaxProblem first : read.problems()) {
      throw first;
    }
    Parser parser = new Parser(read.tokens());
    Block block = parser.script();
    return new Chunk(
        read.tokens(),
        read.comments(),
        block,
        parser.scopes.locals(),
        parser.scopes.names(),
        parser.tokens.omittable());
  }

  private Block script() {
    scopes.enterFunction(true);
    Block block = block();
    if (!tokens.at(TokenKind.END)) {
      throw tokens.fail("unexpected " + tokens.peek().quoted());
    }
    return block;
  }

  private Block block() {
    scopes.open(tokens.position());
    Block block = statements();
    scopes.close(tokens.position());
    return block;
  }

  private Block statements() {
    List<Statement> statements = new ArrayList<>();
    boolean ended = false;
    while (!ended && !blockEnd()) {
      Statement statement = statement();
      semicolon();
      if (statement instanceof Statement.BreakStatement && !blockEnd()) {
        throw new SyntaxProblem(
            statement.line(), "in Lua 5.1 break must be the last statement of its block");
      }
      statements.add(statement);
      ended = statement instanceof Statement.ReturnStatement;
    }
    return new Block(statements, tokens.line());
  }

  private boolean blockEnd() {
    return tokens.atAny("end", "else", "elseif", "until") || tokens.at(TokenKind.END);
  }

  private void semicolon() {
    if (tokens.taken(";") && !tokens.at("(")) {
      tokens.omit(tokens.position() - 1);
    }
  }

  private Statement statement() {
    int line = tokens.line();
    if (tokens.taken("local")) {
      return tokens.taken("function") ? localFunction(line) : localVariables(line);
    } else if (tokens.atAny("do", "while", "repeat", "if")) {
      return branches(tokens.take().text(), line);
    } else if (tokens.taken("for")) {
      return loop(line);
    } else if (tokens.taken("function")) {
      return function(line);
    } else if (tokens.taken("return")) {
      boolean empty = blockEnd() || tokens.at(";");
      return new Statement.ReturnStatement(empty ? List.of() : expressions.list(), line);
    } else if (tokens.taken("break")) {
      return new Statement.BreakStatement(line);
    }
    refuseLater();
    return assignmentOrCall(line);
  }

  /** Names a statement that only later versions of Lua have. */
  private void refuseLater() {
    if (tokens.at(";")) {
      throw tokens.fail("Lua 5.1 has no empty statement");
    }
    if (tokens.at("::")) {
      throw tokens.fail("Lua 5.1 has no labels");
    }
    if (tokens.peek().text().equals("goto") && tokens.after().kind() == TokenKind.NAME) {
      throw tokens.fail("Lua 5.1 has no goto");
    }
  }

  private Statement localVariables(int line) {
    List<LocalVariable> locals = new ArrayList<>();
    do {
      locals.add(declare());
      if (tokens.at("<")) {
        throw tokens.fail("Lua 5.1 has no attributes on variables");
      }
    } while (tokens.taken(","));
    List<Expression> values = tokens.taken("=") ? expressions.list() : List.of();
    for (int i = 0; i < locals.size(); i++) {
      scopes.reveal(locals.get(i), tokens.position());
      if (i < values.size()) {
        locals.get(i).initial(values.get(i));
      }
    }
    return new Statement.LocalDeclaration(locals, values, line);
  }

  private LocalVariable declare() {
    int position = tokens.position();
    return scopes.declare(tokens.name(), position);
  }

  private Statement localFunction(int line) {
    LocalVariable local = declare();
    scopes.reveal(local, tokens.position());
    Expression.FunctionBody function = functionBody(false);
    local.initial(function);
    return new Statement.LocalFunction(local, function, line);
  }

  private Statement function(int line) {
    Expression target = expressions.variable();
    while (tokens.at(".")) {
      target = expressions.field(target);
    }
    boolean method = tokens.taken(":");
    if (method) {
      Token name = tokens.name();
      target =
          new Expression.IndexExpression(
              target, new Expression.StringLiteral(name.text(), name.line()), line);
    }
    reassign(target);
    return new Statement.AssignmentStatement(List.of(target), List.of(functionBody(method)), line);
  }

  private Expression.FunctionBody functionBody(boolean method) {
    int line = tokens.line();
    scopes.open(tokens.position());
    tokens.expect("(");
    List<LocalVariable> parameters = new ArrayList<>();
    boolean vararg = parameters(parameters);
    tokens.expect(")");
    if (method) {
      scopes.implicit("self", tokens.position());
    }
    parameters.forEach(p -> scopes.reveal(p, tokens.position()));
    if (vararg) {
      scopes.implicit("arg", tokens.position());
    }
    scopes.enterFunction(vararg);
    Block body = block();
    scopes.leaveFunction();
    tokens.expectEnd("end", "function", line);
    scopes.close(tokens.position());
    return new Expression.FunctionBody(body, line);
  }

  /** Reads the parameters of a function and tells whether it takes any number of arguments. */
  private boolean parameters(List<LocalVariable> parameters) {
    if (tokens.at(")")) {
      return false;
    }
    do {
      if (tokens.taken("...")) {
        return true;
      }
      parameters.add(declare());
    } while (tokens.taken(","));
    return false;
  }

  private Statement branches(String keyword, int line) {
    List<Expression> conditions = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    switch (keyword) {
      case "repeat" -> repeat(conditions, blocks, line);
      case "if" -> conditional(conditions, blocks, line);
      default -> {
        if (keyword.equals("while")) {
          conditions.add(expressions.expression());
          tokens.expect("do");
        }
        blocks.add(block());
        tokens.expectEnd("end", keyword, line);
      }
    }
    return new Statement.BranchStatement(keyword, conditions, blocks, line);
  }

  /** The condition of a repeat sees the variables of its block. */
  private void repeat(List<Expression> conditions, List<Block> blocks, int line) {
    scopes.open(tokens.position());
    blocks.add(statements());
    tokens.expectEnd("until", "repeat", line);
    conditions.add(expressions.expression());
    scopes.close(tokens.position());
  }

  private void conditional(List<Expression> conditions, List<Block> blocks, int line) {
    do {
      conditions.add(expressions.expression());
      tokens.expect("then");
      blocks.add(block());
    } while (tokens.taken("elseif"));
    if (tokens.taken("else")) {
      blocks.add(block());
    }
    tokens.expectEnd("end", "if", line);
  }

  private Statement loop(int line) {
    scopes.open(tokens.position());
    LocalVariable first = declare();
    Statement loop = tokens.taken("=") ? numericFor(first, line) : genericFor(first, line);
    tokens.expectEnd("end", "for", line);
    scopes.close(tokens.position());
    return loop;
  }

  private Statement numericFor(LocalVariable local, int line) {
    Expression start = expressions.expression();
    tokens.expect(",");
    Expression limit = expressions.expression();
    Expression step = tokens.taken(",") ? expressions.expression() : null;
    Block body = loopBody(List.of(local));
    Statement.NumericFor loop = new Statement.NumericFor(local, start, limit, step, body, line);
    local.countedBy(loop);
    return loop;
  }

  private Statement genericFor(LocalVariable first, int line) {
    List<LocalVariable> locals = new ArrayList<>(List.of(first));
    while (tokens.taken(",")) {
      locals.add(declare());
    }
    tokens.expect("in");
    List<Expression> values = expressions.list();
    return new Statement.GenericFor(locals, values, loopBody(locals), line);
  }

  private Block loopBody(List<LocalVariable> locals) {
    tokens.expect("do");
    locals.forEach(local -> scopes.reveal(local, tokens.position()));
    return block();
  }

  private Statement assignmentOrCall(int line) {
    Expression first = expressions.suffixed();
    if (!tokens.atAny("=", ",")) {
      if (first instanceof Expression.FunctionCall || first instanceof Expression.MethodCall) {
        return new Statement.CallStatement(first, line);
      }
      throw tokens.fail("expected a statement: this expression has no effect");
    }
    List<Expression> targets = new ArrayList<>(List.of(first));
    while (tokens.taken(",")) {
      targets.add(expressions.suffixed());
    }
    targets.forEach(this::reassign);
    tokens.expect("=");
    return new Statement.AssignmentStatement(targets, expressions.list(), line);
  }

  private void reassign(Expression target) {
    if (target instanceof Expression.VariableName name) {
      if (name.local() != null) {
        name.local().assign(name.position());
      }
    } else if (!(target instanceof Expression.IndexExpression)) {
      throw new SyntaxProblem(target.line(), "only a variable or a field can be assigned");
    }
  }
}
