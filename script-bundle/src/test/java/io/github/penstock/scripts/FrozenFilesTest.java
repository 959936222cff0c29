package io.github.penstock.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds scripts, Functions library and vectors against {@code lua/frozen.sha256}. */
class FrozenFilesTest {
  private static final Path LUA = Path.of("..", "lua");

  static Stream<String> digests() throws IOException {
    return Files.readAllLines(LUA.resolve("frozen.sha256")).stream();
  }

  @ParameterizedTest
  @DisplayName("what is sent, and what is expected of it, is the same byte for byte")
  @MethodSource("digests")
  void frozen(String line) throws Exception {
    String[] parts = line.split("  ", 2);
    byte[] bytes =
        parts[1].startsWith("vectors/")
            ? Files.readAllBytes(LUA.resolve(parts[1]))
            : built(parts[1]);
    assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
        .as("SHA-256 of %s (lua/frozen.sha256)", parts[1])
        .isEqualTo(parts[0]);
  }

  private static byte[] built(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(LuaScript.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    }
  }
}
