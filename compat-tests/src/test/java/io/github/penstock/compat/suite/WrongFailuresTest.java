package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Failing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Overloaded;
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

/** The suite against adapters that mistake failures: the rule about each of them must fail. */
@Tag("mistakes")
class WrongFailuresTest {
  private static FailureMistake mistake = FailureMistake.NONE;

  /** The suite of limiters with the mistake of the moment. */
  static class ConfusedSuite extends RateLimiterCompatibilityTest {
    @Override
    protected String client() {
      return "confused 1.0";
    }

    @Override
    protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
      if (endpoint instanceof ServerEndpoint.Single single && !single.encrypted()) {
        return ConfusedRateLimiters.connect(single.url(), options, mistake);
      }
      throw new UnsupportedOperationException("it knows single servers without TLS only");
    }

    @Override
    protected boolean provesNotSent() {
      return false;
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
          OPENS_FOR_PASSWORD    | WRONG_PASSWORD ROTATED_PASSWORD
          OPENS_FOR_FULL_MEMORY | FULL_MEMORY
          OPENS_FOR_ALERT       | PLAIN_TO_A_TLS_PORT_THAT_SENDS_AN_ALERT
          SAYS_IT_WAS_SENT      | NOTHING_LISTENS UNKNOWN_HOST
          SHOWS_PASSWORD        | PASSWORD_THAT_IS_ECHOED
          """)
  @DisplayName("a mistake is caught by the rows that are about it")
  void mistakesAreCaught(FailureMistake made, String rows) {
    mistake = made;
    assertThat(FailedRules.of(rows()).tests()).contains(rows.split(" "));
  }

  @Test
  @DisplayName("a full bound that is called an outage is caught by a flood")
  void fullBound() {
    mistake = FailureMistake.OPENS_FOR_FULL_BOUND;
    DiscoverySelector flood =
        selectNestedMethod(List.of(ConfusedSuite.class), Overloaded.class, "healthy");
    assertThat(FailedRules.of(flood).tests()).hasSize(1);
    mistake = FailureMistake.NONE;
    assertThat(FailedRules.of(flood).tests()).isEmpty();
  }

  @Test
  @DisplayName("the same limiters without a mistake pass every row that they know")
  void withoutMistake() {
    mistake = FailureMistake.NONE;
    FailedRules failed = FailedRules.of(rows());
    assertThat(failed.tests()).isEmpty();
    assertThat(failed.succeeded()).isBetween(10, 20);
  }

  private static DiscoverySelector rows() {
    return selectNestedMethod(
        List.of(ConfusedSuite.class),
        Failing.class,
        "rows",
        "io.github.penstock.compat.failure.FailureRow");
  }
}
