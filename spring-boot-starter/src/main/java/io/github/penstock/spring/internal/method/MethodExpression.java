package io.github.penstock.spring.internal.method;

import io.github.penstock.spring.internal.request.RequestExpression;
import io.github.penstock.spring.internal.subject.ScarceLog;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * An expression over the arguments of a method.
 *
 * @param expression the expression
 * @param beans its beans
 */
record MethodExpression(Expression expression, BeanFactory beans) {
  private static final ScarceLog LOG = new ScarceLog();
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  /**
   * The expression.
   *
   * @throws IllegalArgumentException if it cannot be parsed
   */
  static MethodExpression of(String text, BeanFactory beans) {
    try {
      return new MethodExpression(new SpelExpressionParser().parseExpression(text), beans);
    } catch (ParseException | IllegalStateException wrong) {
      throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }
  }

  /** Its value for a call; null if it throws, which is logged at most once a second. */
  @Nullable Object value(@Nullable Object target, Method method, @Nullable Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, NAMES);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    try {
      return expression.getValue(context);
    } catch (RuntimeException failed) {
      LOG.log(
          Level.WARNING, "the expression " + this + " failed: " + RequestExpression.reason(failed));
      return null;
    }
  }

  @Override
  public String toString() {
    return expression.getExpressionString();
  }
}
