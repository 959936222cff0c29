package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.LosingReservations;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Reserving;
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

/** The suite against wrong reservations: the rule that is about the mistake must fail. */
@Tag("mistakes")
class WrongReservationsTest {
  private static HoldMistake mistake = HoldMistake.NONE;

  /** The suite of limiters with the mistake of the moment. */
  static class CarelessSuite extends RateLimiterCompatibilityTest {
    @Override
    protected String client() {
      return "careless 1.0";
    }

    @Override
    protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
      ServerEndpoint.Single single = (ServerEndpoint.Single) endpoint;
      return CarelessReservations.connect(single.url(), options, mistake);
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
          ONE_BY_ONE           | allOrNone
          CLOSES_NOTHING       | ended
          CANCEL_CHARGES       | ended
          NEVER_BEYOND         | settled
          UNNAMED_IS_FREE      | totalsOfEntries
          OTHER_ID             | sameId
          LATE_IS_SETTLED      | ranOut
          UNDECIDED_IS_SETTLED | undecided
          """)
  @DisplayName("a mistake is caught by the rule that is about it")
  void mistakesAreCaught(HoldMistake made, String rule) {
    mistake = made;
    Class<?> rules =
        made == HoldMistake.UNDECIDED_IS_SETTLED ? LosingReservations.class : Reserving.class;
    FailedRules failed =
        FailedRules.of(selectNestedMethod(List.of(CarelessSuite.class), rules, rule));
    assertThat(failed.failures().values())
        .singleElement()
        .satisfies(failure -> assertThat(failure).isInstanceOf(AssertionError.class));
  }

  @Test
  @DisplayName("the same reservations without a mistake pass")
  void withoutMistake() {
    mistake = HoldMistake.NONE;
    FailedRules rules =
        FailedRules.of(selectNestedClass(List.of(CarelessSuite.class), Reserving.class));
    assertThat(rules.tests()).isEmpty();
    assertThat(rules.succeeded()).isBetween(8, 12);
  }
}
