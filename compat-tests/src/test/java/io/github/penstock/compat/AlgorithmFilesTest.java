package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.vectors.KeyExample;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The files that docs/architecture.md lists for a new algorithm: none may be forgotten. */
class AlgorithmFilesTest {
  private static final Path ROOT = Path.of("..");

  @ParameterizedTest
  @EnumSource
  @DisplayName("an algorithm has its kind, its class, its model and its vectors")
  void code(LuaScript script) {
    String name = script.scriptName();
    assertThat(LimitKind.named(name)).as("LimitKind of %s", name).isPresent();
    String simple =
        Stream.of(name.split("-"))
            .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining());
    Path core = ROOT.resolve("client-core/src/main/java/io/github/penstock/core/limit");
    assertThat(core.resolve(simple + ".java")).isRegularFile();
    assertThat(Arrays.stream(ScriptAlgorithm.values()).map(ScriptAlgorithm::scriptName))
        .as("ScriptAlgorithm of %s", name)
        .contains(name);
    assertThat(ROOT.resolve("lua/vectors").resolve(name + ".json")).isRegularFile();
    assertThat(KeyExample.all())
        .as("a key of %s in keys.json", name)
        .anyMatch(key -> key.script().scriptName().equals(name) && key.key() != null);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("an algorithm is described on the pages that list all of them")
  void pages(LuaScript script) throws IOException {
    String name = "`" + script.scriptName();
    for (String page :
        new String[] {"README.md", "docs/protocol.md", "docs/limits.md", "docs/algorithms.md"}) {
      assertThat(text(page)).as(page).contains(name);
    }
    assertThat(text("CHANGELOG.md"))
        .as("CHANGELOG.md")
        .contains(name + "` | `" + script.sha1() + "`");
  }

  private static String text(String page) throws IOException {
    return Files.readString(ROOT.resolve(page));
  }
}
