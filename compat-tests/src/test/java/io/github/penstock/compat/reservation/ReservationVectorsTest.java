package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.penstock.compat.ScriptRoute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every vector of reservations, in every form of the scripts, on every server. */
class ReservationVectorsTest {
  private static final Path CHECKED_IN = Path.of("..", "lua", "vectors", ReservationGenerator.FILE);

  @TestFactory
  @DisplayName("P11 the vectors of reservations hold in every form on every server")
  Stream<DynamicNode> vectors() {
    return ScriptRoute.all().stream()
        .map(
            route ->
                dynamicContainer(
                    route.toString(),
                    ReservationVectors.all().stream()
                        .map(
                            sequence ->
                                dynamicTest(sequence.name(), () -> play(route, sequence)))));
  }

  private static void play(ScriptRoute route, ReservationVectors.Sequence sequence) {
    assertThat(
            new ReservationRunner(route.connection(), route.form()::command).play(sequence.steps()))
        .isNull();
  }

  @Test
  @DisplayName("what is generated is what is checked in")
  void generatedIsCheckedIn() throws IOException {
    String text = Files.readString(CHECKED_IN);
    String generated = ReservationGenerator.text(ReservationScenarios.all());
    assertThat(generated.lines())
        .as("the lines of %s; ReservationGenerator writes it anew", CHECKED_IN)
        .containsExactlyElementsOf(text.lines().toList());
    assertThat(generated).isEqualTo(text);
    assertThat(ReservationGenerator.text(ReservationVectors.all())).isEqualTo(text);
  }

  @Test
  @DisplayName("every rule is shown")
  void everyRule() {
    Set<String> rules = new TreeSet<>();
    ReservationVectors.all().forEach(sequence -> rules.addAll(sequence.rules()));
    assertThat(rules)
        .containsAll(
            List.of(
                "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13"));
  }
}
