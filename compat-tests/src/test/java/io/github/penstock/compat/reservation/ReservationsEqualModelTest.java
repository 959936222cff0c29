package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.ScriptRoute;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories: {@code reserve} and {@code settle} against the model, reply for reply and value
 * for value, on every server, in each form in turn.
 *
 * <p>{@code -Dpenstock.histories=10000} says how many a server plays, {@code
 * -Dpenstock.histories.first=1} with which it begins.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReservationsEqualModelTest {
  private static final int HISTORIES = Integer.getInteger("penstock.histories", 100);
  private static final int FIRST = Integer.getInteger("penstock.histories.first", 1);

  static Stream<List<ScriptRoute>> servers() {
    Map<String, List<ScriptRoute>> servers =
        ScriptRoute.all().stream().collect(Collectors.groupingBy(route -> route.server().name()));
    return servers.values().stream();
  }

  @ParameterizedTest
  @MethodSource("servers")
  @DisplayName("R1 to R13 random histories do what the model does")
  void historiesEqualModel(List<ScriptRoute> routes) {
    for (int seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      ScriptRoute route = routes.get(seed % routes.size());
      List<ReservationStep> steps = RandomHistory.of(seed, "penstock:{" + UUID.randomUUID() + "}");
      String wrong = new ReservationRunner(route.connection(), route.form()::command).play(steps);
      assertThat(wrong).as("history %d, %s", seed, route).isNull();
    }
  }
}
