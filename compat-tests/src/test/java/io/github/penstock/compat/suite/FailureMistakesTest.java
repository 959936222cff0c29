package io.github.penstock.compat.suite;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Failing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Overloaded;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Mistakes about failures. */
class FailureMistakesTest extends PlantedMistakesTest {
  FailureMistakesTest() {
    super(MistakenLimiters.CONFUSED);
  }

  @Override
  Stream<Arguments> withoutMistake() {
    return Stream.of(
        arguments(FindingRule.method(Failing.class, "rows", FindingRule.FAILURE_ROW), 6, 12),
        arguments(FindingRule.method(Failing.class, "single", FindingRule.SCENARIO), 33, 99),
        arguments(FindingRule.method(Overloaded.class, "healthy", ""), 1, 1));
  }
}
