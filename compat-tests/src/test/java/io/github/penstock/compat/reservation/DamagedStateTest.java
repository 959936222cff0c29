package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.ScriptRoute;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.model.StoredValue.Kind;
import io.github.penstock.testkit.reservation.ReservationModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls on keys and receipts that were damaged: as the model decides, which refuses what {@code
 * reserve} does not store. Nothing of a call that is refused is written.
 *
 * <p>{@code -Dpenstock.damaged=10000} says how many a server gets.
 */
@Execution(ExecutionMode.CONCURRENT)
class DamagedStateTest {
  private static final int DAMAGED = Integer.getInteger("penstock.damaged", 500);

  static Stream<List<ScriptRoute>> servers() {
    return ReservationsEqualModelTest.servers();
  }

  @ParameterizedTest
  @MethodSource("servers")
  @DisplayName("R13 a damaged key or receipt is an error, or what the rules allow")
  void damagedIsRefused(List<ScriptRoute> routes) {
    int played = 0;
    int refused = 0;
    for (int seed = 1; played < DAMAGED; seed++) {
      ScriptRoute route = routes.get(seed % routes.size());
      ReservationRunner runner = new ReservationRunner(route.connection(), route.form()::command);
      for (ReservationStep step : damaged(seed, "penstock:{" + UUID.randomUUID() + "}")) {
        assertThat(runner.play(List.of(step)))
            .as("history %d, %s, %s", seed, route, step.before())
            .isNull();
        played++;
        refused += isRefused(step) ? 1 : 0;
      }
    }
    assertThat(refused).as("refused of %d", played).isGreaterThan(played / 2);
  }

  private static boolean isRefused(ReservationStep step) {
    return step.error() != null && (step.error().endsWith("state") || step.error().equals("id"));
  }

  /** The calls of a history, each on what the earlier ones stored, with one value damaged. */
  private static List<ReservationStep> damaged(long seed, String group) {
    Random random = new Random(seed);
    Map<String, StoredValue> state = new HashMap<>();
    List<ReservationStep> damaged = new ArrayList<>();
    for (ReservationStep step : RandomHistory.of(seed, group)) {
      Map<String, StoredValue> before = new LinkedHashMap<>();
      state.putAll(step.before());
      step.keys().forEach(key -> before.put(key, state.getOrDefault(key, StoredValue.NOTHING)));
      List<String> packed =
          step.keys().stream().filter(key -> before.get(key).kind() == Kind.BINARY).toList();
      if (!packed.isEmpty()) {
        String key = packed.get(random.nextInt(packed.size()));
        before.computeIfPresent(key, (name, value) -> DamagedValue.of(value, random));
        damaged.add(
            ReservationStep.on(
                new ReservationModel(), before, step.script(), step.keys(), step.arguments()));
      }
      state.putAll(step.stored());
    }
    return damaged;
  }
}
