package io.github.penstock.compat.suite;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.WithFaults;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Mistakes in the scripts, and in sending them. */
class ScriptMistakesTest extends PlantedMistakesTest {
  ScriptMistakesTest() {
    super(MistakenLimiters.SCRIPTS);
  }

  @Override
  Stream<Arguments> withoutMistake() {
    return Stream.of(
        arguments(FindingRule.algorithm(ScriptAlgorithm.TOKEN_BUCKET), 30, 150),
        arguments(FindingRule.method(WithFaults.class, "connectionsCut", ""), 1, 1));
  }
}
