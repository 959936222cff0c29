package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Failing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Leasing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.LosingReservations;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Overloaded;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Remembering;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Reserving;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.WithFaults;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;

/** The suite and the vectors against each planted mistake: its rule must find it. */
@Tag("mistakes")
class PlantedMistakesTest {
  private static final String RESULTS = "penstock.clients.results";
  private static final List<String> SOURCES =
      Stream.concat(
              Stream.of(LuaScript.values()).map(LuaScript::readableSource),
              Stream.of(ReservationScript.values()).map(ReservationScript::readableSource))
          .toList();

  private static MistakenLimiters limiters = MistakenLimiters.SCRIPTS;
  private static @Nullable PlantedMistake planted;

  /** The suite as an adapter's author extends it, for limiters with the mistake of the moment. */
  static class MistakenSuite extends RateLimiterCompatibilityTest {
    @Override
    protected String client() {
      return "mistaken 1.0";
    }

    @Override
    protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
      if (endpoint instanceof ServerEndpoint.Single single && !single.encrypted()) {
        return limiters.connect(single.url(), options, planted);
      }
      throw new UnsupportedOperationException("it knows single servers without TLS only");
    }

    @Override
    protected boolean provesNotSent() {
      return limiters != MistakenLimiters.CONFUSED;
    }

    @Override
    protected ScriptTransport transport(RateLimiters limiters) {
      return ((WrongRateLimiters) limiters).transport();
    }
  }

  @BeforeAll
  static void keepResultsApart(@TempDir Path results) {
    System.setProperty(RESULTS, results.toString());
  }

  @AfterAll
  static void forgetResults() {
    System.clearProperty(RESULTS);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a mistake is found by its rule")
  void isFound(PlantedMistake mistake) {
    assertThat(mistake.withoutPlace(SOURCES)).isEmpty();
    limiters = mistake.limiters();
    planted = mistake;
    mistake.rule().mustFind(mistake);
  }

  static Stream<Arguments> withoutMistake() {
    return Stream.of(
        arguments(
            MistakenLimiters.SCRIPTS, FindingRule.algorithm(ScriptAlgorithm.TOKEN_BUCKET), 30, 150),
        arguments(
            MistakenLimiters.SCRIPTS,
            FindingRule.method(WithFaults.class, "connectionsCut", ""),
            1,
            1),
        arguments(
            MistakenLimiters.CONFUSED,
            FindingRule.method(Failing.class, "rows", FindingRule.FAILURE_ROW),
            10,
            20),
        arguments(
            MistakenLimiters.CONFUSED, FindingRule.method(Overloaded.class, "healthy", ""), 1, 1),
        arguments(MistakenLimiters.FORGETFUL, FindingRule.rules(Remembering.class), 10, 20),
        arguments(MistakenLimiters.FORGETFUL, FindingRule.rules(Leasing.class), 4, 9),
        arguments(MistakenLimiters.CARELESS, FindingRule.rules(Reserving.class), 8, 12),
        arguments(
            MistakenLimiters.CARELESS,
            FindingRule.method(LosingReservations.class, "undecided", ""),
            1,
            1));
  }

  @ParameterizedTest
  @MethodSource
  @DisplayName("the same limiters without a mistake pass")
  void withoutMistake(MistakenLimiters made, DiscoverySelector rules, int least, int most) {
    limiters = made;
    planted = null;
    FailedRules failed = FailedRules.of(rules);
    assertThat(failed.tests()).isEmpty();
    assertThat(failed.succeeded()).isBetween(least, most);
  }
}
