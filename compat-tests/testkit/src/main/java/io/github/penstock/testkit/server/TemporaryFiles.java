package io.github.penstock.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.IOConsumer;

/** Directories for the files of a server or a run, and their removal. */
public final class TemporaryFiles {
  private TemporaryFiles() {}

  /**
   * Makes a directory and does something in it: in the system's temporary directory, or else, where
   * that is missing, full or forbids it, in another one.
   *
   * @throws IOException if it cannot be done anywhere; the message says where, and why not
   */
  static Path directory(String prefix, IOConsumer<Path> use) throws IOException {
    List<String> reasons = new ArrayList<>();
    for (String parent :
        List.of(
            System.getProperty("java.io.tmpdir"), "/var/tmp", System.getProperty("user.home"))) {
      Path directory = Path.of(parent);
      try {
        directory = Files.createTempDirectory(directory, prefix);
        use.accept(directory);
        return directory;
      } catch (IOException failure) {
        reasons.add(
            parent + ": " + failure.getClass().getSimpleName() + ", " + failure.getMessage());
        if (!directory.equals(Path.of(parent))) {
          delete(directory);
        }
      }
    }
    throw new IOException(String.join("; ", reasons));
  }

  /** Deletes a directory and everything in it when this process ends. */
  public static void deleteAtEnd(Path directory) {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> delete(directory), "penstock-temporary-files"));
  }

  /**
   * Deletes a directory and its content; files that cannot be deleted stay for the system to clean
   * up.
   */
  public static void delete(Path directory) {
    FileUtils.deleteQuietly(directory.toFile());
  }
}
