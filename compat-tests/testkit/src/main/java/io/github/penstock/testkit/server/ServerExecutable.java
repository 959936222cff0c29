package io.github.penstock.testkit.server;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A server's executable, or a launcher that takes the server's options and becomes it.
 *
 * @param name a short name
 * @param path an executable file
 */
public record ServerExecutable(String name, Path path) implements ServerSource {

  /** Checks that the file can be executed. */
  public ServerExecutable {
    if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
      throw new IllegalArgumentException("a server must be an executable file, not " + path);
    }
    path = path.toAbsolutePath();
  }

  /** Starts a process on a free port. */
  @Override
  public ServerProcess start(String... options) {
    return ServerProcess.start(this, options);
  }
}
