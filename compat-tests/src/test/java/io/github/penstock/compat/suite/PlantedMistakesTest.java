package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;

/**
 * The suite and the vectors against each planted mistake of some limiters: its rule must find it.
 */
@Tag("mistakes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PlantedMistakesTest {
  private static final String RESULTS = "penstock.clients.results";
  private static final List<String> SOURCES =
      Stream.concat(
              Stream.of(LuaScript.values()).map(LuaScript::readableSource),
              Stream.of(ReservationScript.values()).map(ReservationScript::readableSource))
          .toList();

  private static MistakenLimiters limiters = MistakenLimiters.SCRIPTS;
  private static @Nullable PlantedMistake planted;

  PlantedMistakesTest(MistakenLimiters mistaken) {
    limiters = mistaken;
  }

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

  Stream<PlantedMistake> isFound() {
    return Stream.of(PlantedMistake.values()).filter(mistake -> mistake.limiters() == limiters);
  }

  @ParameterizedTest
  @MethodSource
  @DisplayName("a mistake is found by its rule")
  void isFound(PlantedMistake mistake) {
    assertThat(mistake.withoutPlace(SOURCES)).isEmpty();
    planted = mistake;
    mistake.rule().mustFind(mistake);
  }

  /** Rules, and the least and the largest number of their tests. */
  abstract Stream<Arguments> withoutMistake();

  @ParameterizedTest
  @MethodSource
  @DisplayName("the same limiters without a mistake pass")
  void withoutMistake(DiscoverySelector rules, int least, int most) {
    planted = null;
    FailedRules failed = FailedRules.of(rules);
    assertThat(failed.tests()).isEmpty();
    assertThat(failed.succeeded()).isBetween(least, most);
  }
}
