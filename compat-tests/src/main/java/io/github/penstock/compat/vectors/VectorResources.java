package io.github.penstock.compat.vectors;

import java.nio.charset.StandardCharsets;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/** The vector files as they lie on the class path. */
final class VectorResources {
  private VectorResources() {}

  static String text(String name) {
    String path = "io/github/penstock/compat/vectors/" + name;
    ClassLoader loader = VectorResources.class.getClassLoader();
    return Uncheck.get(() -> IOUtils.resourceToString(path, StandardCharsets.UTF_8, loader));
  }
}
