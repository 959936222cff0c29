package io.github.penstock.compat.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.vectors.VectorFile;
import io.github.penstock.compat.vectors.VectorSequence;
import io.github.penstock.compat.vectors.VectorWriter;
import io.github.penstock.scripts.DropInScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DropInVectorsTest {

  @ParameterizedTest
  @EnumSource
  @DisplayName("what the model fills in is what is checked in, read and written again")
  void filledIn(DropInScript script) throws IOException {
    Path file = Path.of("..", "lua", "vectors", "drop-in", script.scriptName() + ".json");
    String text = Files.readString(file);
    assertThat(DropInFiller.filled(text, script)).isEqualTo(text);
    assertThat(VectorWriter.text(VectorFile.of(script))).isEqualTo(text);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("every rule that holds for drop-ins is shown, and some of it was computed by hand")
  void everyRuleIsShown(DropInScript script) {
    Set<String> rules = new TreeSet<>();
    VectorFile.of(script).sequences().forEach(sequence -> rules.addAll(sequence.rules()));
    // A counter has no clock of its own: the server ends its window.
    assertThat(rules).contains("P1", "P5", "P6", "P11");
    assertThat(rules.contains("P9")).isEqualTo(script != DropInScript.COUNTER);
    assertThat(VectorFile.of(script).sequences())
        .extracting(VectorSequence::origin)
        .contains(VectorSequence.Origin.HAND);
  }
}
