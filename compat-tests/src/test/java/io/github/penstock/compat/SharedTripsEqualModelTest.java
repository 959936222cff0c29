package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.SharedTripHistory.Counts;
import io.github.penstock.compat.SharedTripHistory.Mistake;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls that share trips are told what they would have been told alone: random histories against
 * the model, on every server, in each form in turn.
 *
 * <p>{@code -Dpenstock.histories=10000} says how many of each algorithm a server plays, {@code
 * -Dpenstock.histories.first=1} with which it begins.
 */
@Execution(ExecutionMode.CONCURRENT)
class SharedTripsEqualModelTest {
  private static final int HISTORIES = Integer.getInteger("penstock.histories", 250);
  private static final int FIRST = Integer.getInteger("penstock.histories.first", 1);
  private static final int FEW = 40;
  private static final Set<ScriptAlgorithm> SHARED =
      EnumSet.complementOf(EnumSet.of(ScriptAlgorithm.LEAKY_BUCKET));

  static Stream<Arguments> servers() {
    Map<String, List<ScriptRoute>> servers =
        ScriptRoute.all().stream().collect(Collectors.groupingBy(route -> route.server().name()));
    return servers.values().stream()
        .flatMap(routes -> SHARED.stream().map(algorithm -> Arguments.of(routes, algorithm)));
  }

  @ParameterizedTest
  @MethodSource("servers")
  @DisplayName("C2 C3 calls that share trips are told what the model tells them alone")
  void tripsEqualModel(List<ScriptRoute> routes, ScriptAlgorithm algorithm) {
    Counts counts = play(routes, algorithm, FIRST, HISTORIES, null);
    System.err.println(
        "penstock: " + routes.get(0).server().name() + ", " + algorithm + ": " + counts);
  }

  static Set<ScriptAlgorithm> shared() {
    return SHARED;
  }

  @ParameterizedTest
  @MethodSource("shared")
  @DisplayName(
      "the histories in which mistakes are found have partial grants, and calls granted behind them")
  void withoutMistake(ScriptAlgorithm algorithm) {
    Counts counts = play(ScriptRoute.minified(), algorithm, 1, FEW, null);
    assertThat(counts.partial).isPositive();
    assertThat(counts.grantedBehindPartial).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a mistake is found with each algorithm")
  void isFound(Mistake mistake) {
    for (ScriptAlgorithm algorithm : SHARED) {
      assertThatThrownBy(() -> play(ScriptRoute.minified(), algorithm, 1, FEW, mistake))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("history");
    }
  }

  private static Counts play(
      List<ScriptRoute> routes,
      ScriptAlgorithm algorithm,
      int first,
      int number,
      @Nullable Mistake mistake) {
    Counts counts = new Counts();
    for (int seed = first; seed < first + number; seed++) {
      ScriptRoute route = routes.get(seed % routes.size());
      try {
        new SharedTripHistory(route, algorithm, seed, mistake, counts).play();
      } catch (AssertionError difference) {
        throw new AssertionError("history " + seed + " of " + algorithm + ", " + route, difference);
      }
    }
    return counts;
  }
}
