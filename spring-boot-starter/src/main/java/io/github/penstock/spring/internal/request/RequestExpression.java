package io.github.penstock.spring.internal.request;

import io.github.penstock.spring.internal.subject.ScarceLog;
import io.github.penstock.spring.internal.subject.SubjectText;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * An expression of Spring over a request, written {@code #{...}}; beans are {@code @name}. Its
 * exceptions are logged at most once a second, and its value is null then. Safe for use by several
 * threads.
 */
public final class RequestExpression {
  private static final String BEGIN = "#{";
  private static final String END = "}";
  private static final ScarceLog LOG = new ScarceLog();
  private final Expression expression;
  private final StandardEvaluationContext context = new StandardEvaluationContext();

  private RequestExpression(Expression expression, BeanFactory beans) {
    this.expression = expression;
    context.setBeanResolver(new BeanFactoryResolver(beans));
  }

  /** Returns whether a text is written as an expression. */
  public static boolean isOne(String text) {
    return text.startsWith(BEGIN) && text.endsWith(END);
  }

  /**
   * The expression.
   *
   * @throws IllegalArgumentException if it is not an expression, or cannot be parsed
   */
  public static RequestExpression of(String text, BeanFactory beans) {
    if (!isOne(text)) {
      throw new IllegalArgumentException("must be an expression, #{...}: " + text);
    }
    try {
      String inner = text.substring(BEGIN.length(), text.length() - END.length());
      return new RequestExpression(new SpelExpressionParser().parseExpression(inner), beans);
    } catch (ExpressionException | IllegalStateException wrong) {
      throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }
  }

  /** The value for this request; null if it has none or throws. */
  @Nullable Object value(Object request) {
    try {
      Object value = expression.getValue(context, request);
      return value instanceof Optional<?> optional ? optional.orElse(null) : value;
    } catch (RuntimeException failed) {
      LOG.log(Level.WARNING, "the expression " + this + " failed: " + reason(failed));
      return null;
    }
  }

  /**
   * The reason that an expression failed, without messages of the code that it called: they may
   * contain parts of a request, such as a key.
   */
  public static String reason(RuntimeException failed) {
    return failed instanceof SpelEvaluationException wrong
        ? wrong.getMessageCode().name()
        : failed.getClass().getName();
  }

  /** The value as a text; null if {@link SubjectText} has none. */
  @Nullable String text(Object request) {
    return SubjectText.of(value(request), this);
  }

  @Override
  public String toString() {
    return BEGIN + expression.getExpressionString() + END;
  }
}
