package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.compat.ScriptRoute;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.testkit.reservation.ReservationModel;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.script.ScriptForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every vector of reservations, in every form of the scripts, on every server. */
class ReservationVectorsTest {
  private static final int HISTORIES = 60;
  private static final int COST = 4;
  private static final Path CHECKED_IN = Path.of("..", "lua", "vectors", "reservation.json");

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

  static Stream<ScriptRoute> functions() {
    return ScriptRoute.all().stream().filter(route -> route.form() == ScriptForm.FUNCTION);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("functions")
  @DisplayName("P11 the function for peeks answers each peek as the model does, and takes no cost")
  void peekFunction(ScriptRoute route) {
    AtomicInteger peeks = new AtomicInteger();
    ReservationRunner runner =
        new ReservationRunner(
            route.connection(),
            (script, keys, arguments) -> {
              if (!isPeek(script, arguments)) {
                return route.form().command(script, keys, arguments);
              }
              peeks.incrementAndGet();
              return peek(keys, arguments);
            });
    for (int seed = 1; seed <= HISTORIES; seed++) {
      String group = "penstock:{" + UUID.randomUUID() + "}";
      assertThat(runner.play(RandomHistory.of(seed, group))).as("history %d", seed).isNull();
    }
    assertThat(peeks).hasValueGreaterThan(HISTORIES);
    List<String> keys = List.of("penstock:{" + UUID.randomUUID() + "}", "penstock:{a}:id");
    String[] charge = "60000000 0 reserve token-bucket 1 1 100 10 1000000".split(" ");
    assertThat(route.connection().call(peek(keys, List.of(charge))))
        .isInstanceOfSatisfying(
            RespError.class,
            error ->
                assertThat(error.text())
                    .startsWith("ERR penstock reserve: cost must be 0 in a peek"));
    assertThat(route.connection().call("EXISTS", keys.get(0), keys.get(1))).isEqualTo(0L);
  }

  private static boolean isPeek(String script, List<String> arguments) {
    return script.equals(ReservationModel.RESERVE) && arguments.get(COST).equals("0");
  }

  private static String[] peek(List<String> keys, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of("FCALL_RO", ReservationScript.RESERVE.peekFunctionName(), "" + keys.size()));
    command.addAll(keys);
    command.addAll(arguments);
    return command.toArray(String[]::new);
  }

  @Test
  @DisplayName("the model fills in the results that are checked in, whatever stood there before")
  void filledIn() throws IOException {
    String text = Files.readString(CHECKED_IN);
    assertFilled(text, text);
    JsonObject file = JsonParser.parseString(text).getAsJsonObject();
    for (JsonElement sequence : file.getAsJsonArray("sequences")) {
      for (JsonElement step : sequence.getAsJsonObject().getAsJsonArray("steps")) {
        List.of("reply", "error", "written", "stored").forEach(step.getAsJsonObject()::remove);
      }
    }
    assertThat(file.toString()).doesNotContain("\"stored\"");
    assertFilled(file.toString(), text);
  }

  /* By lines, since a message of the whole file is too long to read. */
  private static void assertFilled(String json, String expected) {
    String filled = ReservationFiller.filled(json);
    assertThat(filled.lines())
        .as("the lines of %s; VectorFiller fills them in", CHECKED_IN)
        .containsExactlyElementsOf(expected.lines().toList());
    assertThat(filled).isEqualTo(expected);
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
