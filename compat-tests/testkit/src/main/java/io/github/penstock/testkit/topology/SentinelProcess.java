package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.ServerExecutable;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TemporaryFiles;
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

  static SentinelProcess start(ServerExecutable executable, RedisUrl primary) {
    try {
      Path directory = Files.createTempDirectory("penstock-sentinel");
      TemporaryFiles.deleteAtEnd(directory);
      Path settings = Files.writeString(directory.resolve("sentinel.conf"), settings(primary));
      String line = "#!/bin/sh\nexec '%s' '%s' --sentinel \"$@\"\n";
      Path launcher =
          Files.writeString(
              directory.resolve("sentinel"), line.formatted(executable.path(), settings));
      Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
      return new SentinelProcess(directory, new ServerExecutable("sentinel", launcher).start());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static String settings(RedisUrl primary) {
    String name = SentinelGroup.MASTER_NAME;
    return String.join(
        "\n",
        "sentinel monitor %s %s %d %d".formatted(name, primary.host(), primary.port(), QUORUM),
        "sentinel down-after-milliseconds %s %d"
            .formatted(name, SentinelGroup.PATIENT_DOWN_AFTER_MS),
        "sentinel failover-timeout %s 3000".formatted(name),
        "");
  }

  RedisUrl url() {
    return process.url();
  }

  /** Its log, under its port. */
  String said() {
    return "sentinel %d: %s".formatted(process.url().port(), process.said());
  }

  int masterPort() {
    return Integer.parseInt(String.valueOf(known("GET-MASTER-ADDR-BY-NAME").get(1)));
  }

  /** Sets the milliseconds without an answer after which it takes the primary for down. */
  void setDownAfter(long millis) {
    String name = SentinelGroup.MASTER_NAME;
    process.call("SENTINEL", "SET", name, "down-after-milliseconds", Long.toString(millis));
  }

  /** Has it promote the replica, although the primary works. */
  void failover() {
    process.call("SENTINEL", "FAILOVER", SentinelGroup.MASTER_NAME);
  }

  boolean knowsTheOthers() {
    return known("SENTINELS").size() == OTHERS && known("REPLICAS").size() == 1;
  }

  /** True if it takes the replica for one that clients may read from. */
  boolean offersTheReplica() {
    List<String> replicas = known("REPLICAS").stream().map(String::valueOf).toList();
    return replicas.size() == 1
        && replicas.get(0).contains("flags, slave,")
        && replicas.get(0).contains("master-link-status, ok");
  }

  private List<?> known(String what) {
    return process.call("SENTINEL", what, SentinelGroup.MASTER_NAME) instanceof List<?> known
        ? known
        : List.of();
  }

  @Override
  public void close() {
    process.close();
    TemporaryFiles.delete(directory);
  }
}
