package io.github.penstock.spring.configure;

import io.github.penstock.test.TestRateLimiters;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Resets the limiters of a test before each of its methods; {@link AutoConfigureTestPenstock}. */
final class TestLimiterReset implements TestExecutionListener, Ordered {
  /* Before listeners of the application, which may use limits. */
  @Override
  public int getOrder() {
    return 0;
  }

  @Override
  public void beforeTestMethod(TestContext test) {
    if (TestContextAnnotationUtils.hasAnnotation(
        test.getTestClass(), AutoConfigureTestPenstock.class)) {
      test.getApplicationContext()
          .getBeanProvider(TestRateLimiters.class)
          .ifUnique(TestRateLimiters::reset);
    }
  }
}
