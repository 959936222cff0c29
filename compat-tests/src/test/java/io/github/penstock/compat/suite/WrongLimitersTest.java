package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import io.github.penstock.compat.suite.CommonRules.EachAlgorithm;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Leasing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.OnSingleServer;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.WithFaults;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.DiscoverySelector;

/** The suite against limiters that are wrong: the rule that names the mistake must fail. */
@Tag("mistakes")
class WrongLimitersTest {
  private static PlantedMistake mistake = PlantedMistake.NONE;
  private static boolean sendsAgain;

  /** The suite as somebody would extend it, for a limiter with the mistake of the moment. */
  static class WrongSuite extends RateLimiterCompatibilityTest {
    @Override
    protected String client() {
      return "wrong 1.0";
    }

    @Override
    protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
      ServerEndpoint.Single single = (ServerEndpoint.Single) endpoint;
      return WrongRateLimiters.connect(single.url(), options, mistake, sendsAgain);
    }

    @Override
    protected ScriptTransport transport(RateLimiters limiters) {
      return ((WrongRateLimiters) limiters).transport();
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          FLOATS           | TOKEN_BUCKET              | P7 what comes back comes back exactly, however often
          WRITES_ON_DENIAL | TOKEN_BUCKET FIXED_WINDOW | P2 a peek and a denied call write nothing
          FORGETS_TTL      | TOKEN_BUCKET FIXED_WINDOW | P5 what is written has a time to live that ends with the state
          CHARGES_TWICE    | TOKEN_BUCKET FIXED_WINDOW | P7 as many units as there are, and not one more
          WRONG_WAIT       | TOKEN_BUCKET FIXED_WINDOW | P3 waiting exactly the wait is enough
          IGNORES_A_TIER   | TOKEN_BUCKET FIXED_WINDOW | P4 all tiers are charged, or none
          ALL_OR_NONE      | SLIDING_WINDOW            | P7 of several calls as many as fit are charged, and their number is answered
          ROUNDS_DOWN      | SLIDING_WINDOW            | P3 waiting exactly the wait is enough
          ONE_BATCH        | INTERVAL_BUCKET           | P3 waiting exactly the wait is enough
          """)
  @DisplayName("a mistake in a script is caught by the rule that names it")
  void mistakesAreCaught(PlantedMistake made, String algorithms, String test) {
    assertThat(made.withoutPlace()).isEmpty();
    String rule = test.substring(0, 3);
    for (String algorithm : algorithms.split(" ")) {
      assertThat(made.changes(LuaScript.valueOf(algorithm))).isTrue();
      FailedRules failed = failedWith(made, ScriptAlgorithm.valueOf(algorithm));
      assertThat(failed.tests()).contains(test);
      assertThat(failed.tests()).as("vectors").anyMatch(name -> name.startsWith(rule));
    }
  }

  @Test
  @DisplayName("a window with a late end is caught by the leases that outlive it")
  void leasesOutlive() {
    assertThat(PlantedMistake.ENDS_LATE.withoutPlace()).isEmpty();
    mistake = PlantedMistake.ENDS_LATE;
    FailedRules failed =
        FailedRules.of(selectNestedClass(List.of(WrongSuite.class), Leasing.class));
    assertThat(failed.tests()).contains("fixed-window:10000/300ms", "sliding-window:10000/300ms");
  }

  private static FailedRules failedWith(PlantedMistake made, ScriptAlgorithm algorithm) {
    mistake = made;
    return FailedRules.of(
        selectIteration(
            selectNestedClass(List.of(WrongSuite.class, OnSingleServer.class), EachAlgorithm.class),
            algorithm.ordinal()));
  }

  @Test
  @DisplayName("the same limiter without a mistake passes")
  void withoutMistake() {
    FailedRules failed = failedWith(PlantedMistake.NONE, ScriptAlgorithm.TOKEN_BUCKET);
    assertThat(failed.tests()).isEmpty();
    assertThat(failed.succeeded()).isBetween(30, 150);
  }

  @Test
  @DisplayName(
      "a limiter that sends a call again after a lost reply is caught, and without that passes")
  void sendingAgain(@TempDir Path results) {
    System.setProperty("penstock.clients.results", results.toString());
    try {
      mistake = PlantedMistake.NONE;
      DiscoverySelector cut =
          selectNestedMethod(List.of(WrongSuite.class), WithFaults.class, "connectionsCut");
      assertThat(FailedRules.of(cut).tests()).isEmpty();
      sendsAgain = true;
      Map<String, Throwable> failures = FailedRules.of(cut).failures();
      assertThat(failures).hasSize(1);
      assertThat(failures.values().iterator().next()).hasMessageContaining("more than once");
    } finally {
      sendsAgain = false;
      System.clearProperty("penstock.clients.results");
    }
  }
}
