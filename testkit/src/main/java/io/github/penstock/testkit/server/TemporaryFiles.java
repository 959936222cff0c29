package io.github.penstock.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes what a server or a run left behind. */
public final class TemporaryFiles {
  private TemporaryFiles() {}

  /**
   * Deletes a directory and everything in it; what cannot be deleted stays for the system to clean
   * up.
   */
  public static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(directory)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException left) {
      directory.toFile().deleteOnExit();
    }
  }
}
