package io.github.penstock.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/**
 * The real redis-server 7.0 that comes as a library, for Linux and macOS: nothing needs to be
 * installed.
 */
public record EmbeddedServer() implements ServerSource {
  private static final String FILE = "redis-server";
  /* Its standard input ends with this JVM, also by SIGKILL. Ctrl-C reaches it too, and must not end it. */
  private static final String GUARD = "trap '' INT HUP TERM; read -r end; rm -rf \"$0\"";
  private static @Nullable Path unpacked;

  @Override
  public String name() {
    return "embedded";
  }

  /**
   * Unpacks the executable and starts it.
   *
   * @throws IllegalStateException also if it cannot be unpacked
   */
  @Override
  public ServerProcess start(String... options) {
    return executable().start(options);
  }

  /**
   * The unpacked executable.
   *
   * @throws IllegalStateException if the library has none for this operating system, or it cannot
   *     be run anywhere
   */
  public ServerExecutable executable() {
    return new ServerExecutable(name(), unpacked());
  }

  private static synchronized Path unpacked() {
    if (unpacked == null) {
      try {
        Path directory = TemporaryFiles.directory("penstock-redis", EmbeddedServer::unpack);
        TemporaryFiles.deleteAtEnd(directory);
        new ProcessBuilder("sh", "-c", GUARD, directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
        unpacked = directory.resolve(FILE);
      } catch (IOException failure) {
        throw new IllegalStateException("it cannot be unpacked; " + failure.getMessage(), failure);
      }
    }
    return unpacked;
  }

  /* Also runs it: a file system may hold it and not let it be executed. */
  private static void unpack(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    try (InputStream in = RedisExecProvider.class.getResourceAsStream("/" + resource())) {
      if (in == null) {
        throw new IOException("there is no " + resource());
      }
      Files.copy(in, file);
    }
    if (!file.toFile().setExecutable(true)
        || new ProcessBuilder(file.toString(), "--version").start().onExit().join().exitValue()
            != 0) {
      throw new IOException("what is unpacked there cannot be run");
    }
  }

  private static String resource() {
    boolean mac = System.getProperty("os.name").startsWith("Mac");
    String processor =
        switch (System.getProperty("os.arch")) {
          case "aarch64" -> "arm64";
          case "i386", "x86" -> "386";
          default -> "amd64";
        };
    return "redis-server-"
        + RedisExecProvider.redisVersion
        + (mac ? "-darwin-" : "-linux-")
        + processor;
  }
}
