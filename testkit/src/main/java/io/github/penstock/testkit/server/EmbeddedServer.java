package io.github.penstock.testkit.server;

import java.io.IOException;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/**
 * The real redis-server 7.0 that comes as a library, for Linux and macOS: nothing needs to be
 * installed.
 */
public record EmbeddedServer() implements ServerSource {

  @Override
  public String name() {
    return "embedded";
  }

  /**
   * Unpacks the executable and starts it.
   *
   * @throws IllegalStateException also if the library has none for this operating system
   */
  @Override
  public ServerProcess start(String... options) {
    return executable().start(options);
  }

  /**
   * The unpacked executable.
   *
   * @throws IllegalStateException if the library has none for this operating system
   */
  public ServerExecutable executable() {
    return new ServerExecutable(name(), Unpacked.PATH);
  }

  private static final class Unpacked {
    static final Path PATH = unpack();

    private static Path unpack() {
      try {
        Path path = RedisExecProvider.defaultProvider().get().toPath();
        Runtime.getRuntime()
            .addShutdownHook(new Thread(() -> TemporaryFiles.delete(path), "penstock-unpacked"));
        return path;
      } catch (IOException | RuntimeException failure) {
        throw new IllegalStateException(
            "no embedded server for this operating system; give one with -Dpenstock.redis=redis://host:port",
            failure);
      }
    }
  }
}
