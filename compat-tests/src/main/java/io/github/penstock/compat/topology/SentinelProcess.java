package io.github.penstock.compat.topology;

import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.resp.RespError;
import io.github.penstock.compat.server.Executable;
import io.github.penstock.compat.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A server that runs as a sentinel. As that needs a file that it can write to before all other
 * arguments, it is started through a launcher of one line beside that file.
 */
final class SentinelProcess implements AutoCloseable {
  private static final int QUORUM = 2;
  private static final int OTHERS = 2;

  private final Path directory;
  private final ServerProcess process;

  private SentinelProcess(Path directory, ServerProcess process) {
    this.directory = directory;
    this.process = process;
  }

  static SentinelProcess start(Executable executable, RedisUrl primary) {
    try {
      Path directory = Files.createTempDirectory("penstock-sentinel");
      Path settings = Files.writeString(directory.resolve("sentinel.conf"), settings(primary));
      String line = "#!/bin/sh\nexec '%s' '%s' --sentinel \"$@\"\n";
      Path launcher =
          Files.writeString(
              directory.resolve("sentinel"), line.formatted(executable.path(), settings));
      Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
      return new SentinelProcess(directory, new Executable("sentinel", launcher).start());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static String settings(RedisUrl primary) {
    String name = SentinelGroup.MASTER_NAME;
    return String.join(
        "\n",
        "sentinel monitor %s %s %d %d".formatted(name, primary.host(), primary.port(), QUORUM),
        "sentinel down-after-milliseconds %s %d".formatted(name, SentinelGroup.DOWN_AFTER_MS),
        "sentinel failover-timeout %s 3000".formatted(name),
        "");
  }

  RedisUrl url() {
    return process.url();
  }

  int masterPort() {
    Object address = ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SentinelGroup.MASTER_NAME);
    return Integer.parseInt(String.valueOf(((List<?>) address).get(1)));
  }

  boolean knowsTheOthers() {
    return count("SENTINELS") == OTHERS && count("REPLICAS") == 1;
  }

  private int count(String what) {
    return ask("SENTINEL", what, SentinelGroup.MASTER_NAME) instanceof List<?> known
        ? known.size()
        : 0;
  }

  private Object ask(String... command) {
    try (RespConnection connection = process.connect()) {
      Object answer = connection.call(command);
      if (answer == null || answer instanceof RespError) {
        throw new IllegalStateException(String.join(" ", command) + " answers " + answer);
      }
      return answer;
    }
  }

  @Override
  public void close() {
    process.close();
    try {
      for (String name : List.of("sentinel.conf", "sentinel")) {
        Files.deleteIfExists(directory.resolve(name));
      }
      Files.deleteIfExists(directory);
    } catch (IOException left) {
      directory.toFile().deleteOnExit();
    }
  }
}
