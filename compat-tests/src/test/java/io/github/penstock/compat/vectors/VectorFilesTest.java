package io.github.penstock.compat.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.compat.vectors.VectorSequence.Origin;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VectorFilesTest {

  @ParameterizedTest
  @EnumSource
  @DisplayName("what the model fills in is what is checked in, whatever stood there before")
  void filledIn(ScriptAlgorithm script) throws IOException {
    String text = read(script.scriptName() + ".json");
    assertThat(VectorFiller.filled(text, script)).isEqualTo(text);
    JsonObject file = JsonParser.parseString(text).getAsJsonObject();
    for (JsonElement each : file.getAsJsonArray("sequences")) {
      JsonObject sequence = each.getAsJsonObject();
      boolean byHand = sequence.get("origin").getAsString().equals("hand");
      for (JsonElement step : byHand ? new JsonArray() : sequence.getAsJsonArray("steps")) {
        List.of("reply", "error", "written", "stored").forEach(step.getAsJsonObject()::remove);
      }
    }
    assertThat(VectorFiller.filled(file.toString(), script)).isEqualTo(text);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("what was computed by hand is never filled in")
  void byHand(ScriptAlgorithm script) throws IOException {
    String text = read(script.scriptName() + ".json");
    int hand = text.indexOf("\"origin\": \"hand\"");
    int reply = text.indexOf("\"reply\":[", hand) + 9;
    String wrong = text.substring(0, reply) + "7" + text.substring(reply);
    assertThatIllegalStateException()
        .isThrownBy(() -> VectorFiller.filled(wrong, script))
        .withMessageContaining("the model does not expect what was computed by hand");
  }

  @Test
  @DisplayName("P13 the keys that are filled in are those that are checked in")
  void keysFilledIn() throws IOException {
    String text = read("keys.json");
    assertThat(VectorFiller.keys(text)).isEqualTo(text);
    assertThat(VectorFiller.keys(text.replaceAll("\"key\":\"[^}]*}:?[^}]*\"}", "\"key\":\"\"}")))
        .isEqualTo(text);
  }

  @Test
  @DisplayName("the calls under several limits that are filled in are those that are checked in")
  void callsFilledIn() throws IOException {
    String text = read("calls.json");
    assertThat(CallFiller.filled(text)).isEqualTo(text);
    String empty = text.replaceAll("\"(keys|args|settle_keys)\":\\[[^]]*]", "\"$1\":[]");
    assertThat(empty).isNotEqualTo(text);
    assertThat(CallFiller.filled(empty)).isEqualTo(text);
    assertThat(text)
        .contains(
            "\"penstock:tpm:{tenant:7}/user:42:rb100.10.1000000\"",
            "\"penstock:in-flight:{tenant:7}:rc\"",
            "\"penstock:{tenant:7}:9f1c\"");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("P7 what was computed by hand is what the model computes")
  void handAgreesWithModel(ScriptAlgorithm script) {
    VectorFile file = VectorFile.of(script);
    assertThat(file.sequences()).extracting(VectorSequence::origin).contains(Origin.HAND);
    for (VectorSequence sequence : file.sequences()) {
      ModelStore model = new ModelStore();
      for (VectorStep step : sequence.steps()) {
        if (step.before() != null) {
          model.put(step.inspectedKey(), step.before());
        }
        ExpectedOutcome outcome = model.call(script, step.keys(), step.arguments());
        assertThat(outcome.reply())
            .as("%s %s", sequence.name(), step)
            .isEqualTo(step.expected().reply());
        assertThat(outcome.error()).as(sequence.name()).isEqualTo(step.expected().error());
        assertThat(outcome.written()).as(sequence.name()).isEqualTo(step.expected().written());
        assertThat(model.get(step.inspectedKey())).isEqualTo(step.expected().stored());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("every rule that one connection can show is shown")
  void everyRuleIsShown(ScriptAlgorithm script) {
    Set<String> rules = new TreeSet<>();
    VectorFile.of(script).sequences().forEach(sequence -> rules.addAll(sequence.rules()));
    assertThat(rules).contains("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P13");
  }

  private static String read(String name) throws IOException {
    return Files.readString(Path.of("..", "lua", "vectors", name));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a file that is read and written again is the same")
  void readAndWritten(ScriptAlgorithm script) throws IOException {
    Path file = Path.of("..", "lua", "vectors", script.scriptName() + ".json");
    assertThat(VectorWriter.text(VectorFile.of(script))).isEqualTo(Files.readString(file));
  }

  @Test
  @DisplayName("the keys that are read and written again are the same")
  void keysReadAndWritten() throws IOException {
    assertThat(VectorWriter.keys(KeyExample.all()))
        .isEqualTo(Files.readString(Path.of("..", "lua", "vectors", "keys.json")));
  }

  @Test
  @DisplayName("P13 keys that were written by hand")
  void keysByHand() {
    assertThat(KeyExample.all())
        .extracting(KeyExample::key)
        .contains(
            "penstock:api:{user:42}:b100.10.1000000",
            "penstock:api:{a%7Bb%7Dc}:b100.10.1000000",
            "penstock:api:{%00}:b100.10.1000000",
            "penstock:api:{%257B}:b100.10.1000000",
            "penstock:api:{user:42}:b10.10.1000000-100.50.60000000",
            "penstock:api:{user:42}:w1000000-60000000");
  }
}
