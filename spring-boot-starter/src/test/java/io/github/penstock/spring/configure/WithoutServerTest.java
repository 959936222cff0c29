package io.github.penstock.spring.configure;

import static io.github.penstock.test.PenstockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.test.TestRateLimiters;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** An application without Redis: in development, and in its own tests. */
class WithoutServerTest {
  private static final Limit TWO = FixedWindow.of(2, Duration.ofHours(1));

  @Test
  @DisplayName("penstock.client=local keeps limits in memory")
  void local() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PenstockAutoConfiguration.class))
        .withPropertyValues("penstock.client=local")
        .run(
            context -> {
              RateLimiter limiter = context.getBean(RateLimiters.class).limiter("api", TWO);
              assertThat(limiter.tryAcquire("ann", 2)).isAllowed().hasSource(DecisionSource.LOCAL);
              assertThat(limiter.tryAcquire("ann")).isDenied();
            });
  }

  @Test
  @DisplayName("without that a start without a client still fails")
  void notByItself() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PenstockAutoConfiguration.class))
        .run(context -> assertThat(context).hasFailed());
  }

  @Nested
  @ExtendWith(SpringExtension.class)
  @SpringBootTest(
      classes = WithoutServerTest.TestedApplication.class,
      properties = "penstock.policies.slow.limit=fixed-window:2/1h")
  @AutoConfigureTestPenstock
  class InTests {
    @Autowired TestRateLimiters limiters;
    @Autowired RateLimiters used;

    @RepeatedTest(2)
    @DisplayName(
        "each test method begins with nothing charged, the clock at its start, and no outage")
    void afresh() {
      assertThat(limiters.clock().now()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
      RateLimiter limiter = used.limiter("api", TWO);
      assertThat(limiter.tryAcquire("ann", 2)).isAllowed().hasSource(DecisionSource.SERVER);
      assertThat(limiter.tryAcquire("ann")).isDenied();
      assertThat(limiters).hasCharged("api", "ann", 2);
      limiters.clock().advance(Duration.ofMinutes(1));
      limiters.down();
    }

    @Test
    @DisplayName("@AutoConfigureTestPenstock gives a test the clock and the calls")
    void clock() {
      RateLimiter limiter = used.limiter("api", TWO);
      assertThat(limiter.tryAcquire("ann", 2)).isAllowed();
      assertThat(limiter.tryAcquire("ann")).isDenied();
      limiters.clock().advance(Duration.ofHours(1));
      assertThat(limiter.tryAcquire("ann")).isAllowed();
      assertThat(limiters).hasCharged("api", "ann", 3);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(PenstockAutoConfiguration.class)
  static class TestedApplication {}
}
