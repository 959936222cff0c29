package io.github.penstock.lua.maven.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaTemplatesTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64_999, 65_000, 65_001, 140_000})
  @DisplayName("a text of any length is a Java expression that has it")
  void literal(int length) throws Exception {
    String text = "local \"a\" = \\ 1\n".repeat(length / 15 + 1).substring(0, length);
    Path file = directory.resolve("LongText.java");
    Files.writeString(
        file,
        "public class LongText { public static final String TEXT = %s; }"
            .formatted(JavaTemplates.literal(text)));
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, file.toString()))
        .isZero();
    try (URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      assertThat(classes.loadClass("LongText").getField("TEXT").get(null)).isEqualTo(text);
    }
  }
}
