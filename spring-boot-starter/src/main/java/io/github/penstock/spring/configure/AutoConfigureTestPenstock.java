package io.github.penstock.spring.configure;

import io.github.penstock.spring.configure.PenstockAutoConfiguration.LocalSource;
import io.github.penstock.spring.internal.client.ClientSource;
import io.github.penstock.test.TestRateLimiters;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestPropertySource;

/**
 * A test of an application needs no Redis: its limiters are {@link TestRateLimiters}, a bean with a
 * clock, outages and recorded calls under the test's control. Needs {@code penstock-test} on the
 * class path.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestPenstock
 * class OrderTest {
 *   @Autowired TestRateLimiters limiters;
 * }
 * }</pre>
 *
 * <p>All limiters of an application context share clock, outages and calls, including those of
 * policies with a separate deadline. Before each test method they are {@linkplain
 * TestRateLimiters#reset() reset}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration(AutoConfigureTestPenstock.TestConfiguration.class)
@TestPropertySource(properties = "penstock.client=local")
public @interface AutoConfigureTestPenstock {
  /** The name of the bean that replaces the limiters in memory. */
  String SOURCE = "penstockTestSource";

  /** Limiters of a test. */
  @Configuration(proxyBeanMethods = false)
  class TestConfiguration {
    @Bean(SOURCE)
    ClientSource penstockTestSource() {
      TestRateLimiters first = TestRateLimiters.create();
      return new LocalSource(first::with);
    }

    /** The pool closes them. */
    @Bean(destroyMethod = "")
    TestRateLimiters penstockTestLimiters(LimiterPool pool) {
      return (TestRateLimiters) pool.common();
    }
  }
}
