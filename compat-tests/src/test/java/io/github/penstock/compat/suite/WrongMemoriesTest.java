package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Leasing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Remembering;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.DiscoverySelector;

/** The suite against wrong answers without a trip: the rule that names the mistake must fail. */
@Tag("mistakes")
class WrongMemoriesTest {
  private static MemoryMistake mistake = MemoryMistake.NONE;

  /** The suite of limiters with the mistake of the moment. */
  static class ForgetfulSuite extends RateLimiterCompatibilityTest {
    @Override
    protected String client() {
      return "forgetful 1.0";
    }

    @Override
    protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
      ServerEndpoint.Single single = (ServerEndpoint.Single) endpoint;
      return ForgetfulRateLimiters.connect(single.url(), options, mistake);
    }

    @Override
    protected ScriptTransport transport(RateLimiters limiters) {
      throw new UnsupportedOperationException("nothing is played through a transport");
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          COST_LEFT_OUT    | smallerCosts
          LIMIT_LEFT_OUT   | raisedLimit
          DEAF_TO_REFUNDS  | ownRefund
          FORGETS_BEFORE   | overlappingRefund
          FORGETS_ANSWERED | failedRefund
          PER_LIMITER      | limiterPerRequest
          UNBOUNDED        | bounded
          LOST_IS_LEASED   | lostAnswers
          """)
  @DisplayName("a mistake is caught by the rule that is about it")
  void mistakesAreCaught(MemoryMistake made, String rule) {
    mistake = made;
    Class<?> rules = made == MemoryMistake.LOST_IS_LEASED ? Leasing.class : Remembering.class;
    DiscoverySelector one = selectNestedMethod(List.of(ForgetfulSuite.class), rules, rule);
    assertThat(FailedRules.of(one).tests()).hasSize(1);
  }

  @Test
  @DisplayName("a memory that never forgets is caught, whatever happened on the server")
  void forGood() {
    mistake = MemoryMistake.FOR_GOOD;
    DiscoverySelector all =
        selectNestedMethod(
            List.of(ForgetfulSuite.class),
            Remembering.class,
            "outsideChanges",
            "io.github.penstock.compat.near.OutsideChange");
    assertThat(FailedRules.of(all).tests()).hasSizeGreaterThanOrEqualTo(6);
  }

  @Test
  @DisplayName("the same limiters without a mistake pass")
  void withoutMistake() {
    FailedRules denials = failedWith(MemoryMistake.NONE, Remembering.class);
    assertThat(denials.tests()).isEmpty();
    assertThat(denials.succeeded()).isBetween(10, 20);
    FailedRules leases = failedWith(MemoryMistake.NONE, Leasing.class);
    assertThat(leases.tests()).isEmpty();
    assertThat(leases.succeeded()).isBetween(4, 9);
  }

  private static FailedRules failedWith(MemoryMistake made, Class<?> rules) {
    mistake = made;
    return FailedRules.of(selectNestedClass(List.of(ForgetfulSuite.class), rules));
  }
}
