package io.github.penstock.compat.suite;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.LosingReservations;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Reserving;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Mistakes about reservations. */
class ReservationMistakesTest extends PlantedMistakesTest {
  ReservationMistakesTest() {
    super(MistakenLimiters.CARELESS);
  }

  @Override
  Stream<Arguments> withoutMistake() {
    return Stream.of(
        arguments(FindingRule.rules(Reserving.class), 8, 12),
        arguments(FindingRule.method(LosingReservations.class, "undecided", ""), 1, 1));
  }
}
