package io.github.penstock.compat.vectors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The vector files as they lie on the class path. */
final class VectorResources {
  private VectorResources() {}

  static String text(String name) {
    try (InputStream in = VectorResources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the vectors " + name + " are missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
