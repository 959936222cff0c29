package io.github.penstock.compat.dropin;

import io.github.penstock.compat.vectors.VectorFile;
import io.github.penstock.compat.vectors.VectorWriter;
import io.github.penstock.scripts.DropInScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the vectors of the drop-ins into a directory, as lua/vectors/README.md says: the calls are
 * chosen here, what is expected of them comes from the model.
 */
public final class DropInGenerator {
  private DropInGenerator() {}

  /** Writes all files; the only argument is the directory. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("arguments must be one directory");
    }
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    for (DropInScript script : DropInScript.values()) {
      Files.writeString(directory.resolve(script.scriptName() + ".json"), text(script));
    }
  }

  /** The text of the file of a drop-in. */
  static String text(DropInScript script) {
    return VectorWriter.text(new VectorFile(script.scriptName(), DropInScenarios.all(script)));
  }
}
