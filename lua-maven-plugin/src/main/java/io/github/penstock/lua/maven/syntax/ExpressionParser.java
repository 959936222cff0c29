package io.github.penstock.lua.maven.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads expressions; function bodies go back to the parser of statements. */
final class ExpressionParser {
  private static final Map<String, Integer> PRIORITY =
      Map.ofEntries(
          Map.entry("or", 1),
          Map.entry("and", 2),
          Map.entry("<", 3),
          Map.entry(">", 3),
          Map.entry("<=", 3),
          Map.entry(">=", 3),
          Map.entry("~=", 3),
          Map.entry("==", 3),
          Map.entry("|", 4),
          Map.entry("~", 4),
          Map.entry("&", 4),
          Map.entry("<<", 4),
          Map.entry(">>", 4),
          Map.entry("..", 5),
          Map.entry("+", 6),
          Map.entry("-", 6),
          Map.entry("*", 7),
          Map.entry("/", 7),
          Map.entry("//", 7),
          Map.entry("%", 7),
          Map.entry("^", 9));
  private static final int UNARY = 8;

  private final TokenCursor tokens;
  private final VariableScopes scopes;
  private final Supplier<Expression.FunctionBody> functionBody;

  ExpressionParser(
      TokenCursor tokens, VariableScopes scopes, Supplier<Expression.FunctionBody> functionBody) {
    this.tokens = tokens;
    this.scopes = scopes;
    this.functionBody = functionBody;
  }

  List<Expression> list() {
    List<Expression> expressions = new ArrayList<>(List.of(expression()));
    while (tokens.taken(",")) {
      expressions.add(expression());
    }
    return expressions;
  }

  Expression expression() {
    return expression(0);
  }

  private Expression expression(int limit) {
    Expression left = operand();
    int priority = priority();
    while (priority > limit) {
      String operator = tokens.take().text();
      boolean rightAssociative = operator.equals("..") || operator.equals("^");
      Expression right = expression(rightAssociative ? priority - 1 : priority);
      left = new Expression.BinaryOperation(operator, left, right, left.line());
      priority = priority();
    }
    return left;
  }

  private int priority() {
    Token token = tokens.peek();
    boolean operator = token.kind() == TokenKind.SYMBOL || token.kind() == TokenKind.KEYWORD;
    return operator ? PRIORITY.getOrDefault(token.text(), 0) : 0;
  }

  private Expression operand() {
    int line = tokens.line();
    if (tokens.atAny("not", "-", "#", "~")) {
      String operator = tokens.take().text();
      return new Expression.UnaryOperation(operator, expression(UNARY), line);
    }
    return simple();
  }

  private Expression simple() {
    int line = tokens.line();
    if (tokens.at(TokenKind.NUMBER)) {
      return new Expression.NumberLiteral(tokens.take().text(), line);
    } else if (tokens.at(TokenKind.STRING)) {
      return text();
    } else if (tokens.atAny("nil", "true", "false")) {
      return new Expression.KeywordLiteral(tokens.take().text(), line);
    } else if (tokens.taken("...")) {
      if (!scopes.vararg()) {
        throw new SyntaxProblem(
            line, "'...' outside a function that takes any number of arguments");
      }
      return new Expression.VarargExpression(line);
    } else if (tokens.at("{")) {
      return table();
    } else if (tokens.taken("function")) {
      return functionBody.get();
    }
    return suffixed();
  }

  /** A variable or a parenthesized expression with all its indices and calls. */
  Expression suffixed() {
    Expression expression = primary();
    for (Expression next = suffix(expression); next != null; next = suffix(expression)) {
      expression = next;
    }
    return expression;
  }

  private Expression primary() {
    int line = tokens.line();
    if (tokens.taken("(")) {
      Expression inner = expression();
      tokens.expectEnd(")", "(", line);
      return new Expression.ParenthesizedExpression(inner, line);
    }
    if (!tokens.at(TokenKind.NAME)) {
      throw tokens.fail("unexpected " + tokens.peek().quoted());
    }
    return variable();
  }

  Expression.VariableName variable() {
    int position = tokens.position();
    Token name = tokens.name();
    return new Expression.VariableName(
        name.text(), scopes.resolve(name, position), name.line(), position);
  }

  private @Nullable Expression suffix(Expression object) {
    if (tokens.at(".")) {
      return field(object);
    } else if (tokens.taken("[")) {
      Expression key = expression();
      tokens.expect("]");
      return new Expression.IndexExpression(object, key, object.line());
    } else if (tokens.taken(":")) {
      String method = tokens.name().text();
      return new Expression.MethodCall(object, method, arguments(), object.line());
    } else if (tokens.atAny("(", "{") || tokens.at(TokenKind.STRING)) {
      return new Expression.FunctionCall(object, arguments(), object.line());
    }
    return null;
  }

  /** {@code object.name}; the dot is next. */
  Expression.IndexExpression field(Expression object) {
    tokens.expect(".");
    Token name = tokens.name();
    return new Expression.IndexExpression(
        object, new Expression.StringLiteral(name.text(), name.line()), object.line());
  }

  private List<Expression> arguments() {
    if (tokens.at(TokenKind.STRING)) {
      return List.of(text());
    } else if (tokens.at("{")) {
      return List.of(table());
    } else if (tokens.at("(")) {
      return parenthesizedArguments();
    }
    throw tokens.fail("expected the arguments of a call instead of " + tokens.peek().quoted());
  }

  private List<Expression> parenthesizedArguments() {
    int opened = tokens.position();
    int line = tokens.line();
    if (tokens.previous().lastLine() != line) {
      throw tokens.fail("ambiguous: '(' on a new line is either a call or a new statement");
    }
    tokens.take();
    List<Expression> arguments = tokens.at(")") ? List.of() : list();
    tokens.expectEnd(")", "(", line);
    Expression only = arguments.size() == 1 ? arguments.get(0) : null;
    if (only instanceof Expression.StringLiteral || only instanceof Expression.TableConstructor) {
      tokens.omit(opened);
      tokens.omit(tokens.position() - 1);
    }
    return arguments;
  }

  private Expression.StringLiteral text() {
    Token token = tokens.take();
    return new Expression.StringLiteral(StringDecoder.value(token.text()), token.line());
  }

  private Expression.TableConstructor table() {
    int line = tokens.line();
    tokens.expect("{");
    List<Expression.TableField> fields = new ArrayList<>();
    while (!tokens.at("}")) {
      fields.add(tableField());
      if (!tokens.taken(",") && !tokens.taken(";")) {
        break;
      }
      if (tokens.at("}")) {
        tokens.omit(tokens.position() - 1);
      }
    }
    tokens.expectEnd("}", "{", line);
    return new Expression.TableConstructor(fields, line);
  }

  private Expression.TableField tableField() {
    Expression key = null;
    if (tokens.taken("[")) {
      key = expression();
      tokens.expect("]");
      tokens.expect("=");
    } else if (tokens.at(TokenKind.NAME) && tokens.after().is("=")) {
      Token name = tokens.name();
      key = new Expression.StringLiteral(name.text(), name.line());
      tokens.expect("=");
    }
    return new Expression.TableField(key, expression());
  }
}
