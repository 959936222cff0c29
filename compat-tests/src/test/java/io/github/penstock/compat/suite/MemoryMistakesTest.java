package io.github.penstock.compat.suite;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Leasing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Remembering;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Mistakes about remembered denials and leases. */
class MemoryMistakesTest extends PlantedMistakesTest {
  MemoryMistakesTest() {
    super(MistakenLimiters.FORGETFUL);
  }

  @Override
  Stream<Arguments> withoutMistake() {
    return Stream.of(
        arguments(FindingRule.rules(Remembering.class), 10, 20),
        arguments(FindingRule.rules(Leasing.class), 4, 9));
  }
}
