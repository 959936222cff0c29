package io.github.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

  @Test
  void frozenAndThawed() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      server.freeze();
      Duration timeout = Duration.ofMillis(200);
      try (RespConnection connection = RespConnection.open(server.url(), timeout)) {
        assertThatThrownBy(() -> connection.call("PING")).isInstanceOf(UncheckedIOException.class);
      }
      server.thaw();
      try (RespConnection connection = server.connect()) {
        assertThat(connection.call("PING")).isEqualTo("PONG");
      }
    }
  }

  @Test
  void killedAndRestartedOnTheSamePort() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      try (RespConnection connection = server.connect()) {
        assertThat(connection.call("SET", "k", "v")).isEqualTo("OK");
        server.kill();
        assertThatThrownBy(() -> connection.call("PING")).isInstanceOf(UncheckedIOException.class);
      }
      assertThatThrownBy(server::connect).isInstanceOf(UncheckedIOException.class);
      server.restart();
      try (RespConnection connection = server.connect()) {
        assertThat(connection.call("GET", "k")).isNull();
      }
    }
  }

  @Test
  void optionsReachTheServer() {
    try (ServerProcess server = new EmbeddedServer().start("--cluster-enabled", "yes");
        RespConnection connection = server.connect()) {
      assertThat(connection.call("INFO", "cluster")).asString().contains("cluster_enabled:1");
      assertThat(connection.call("GET", "k")).isInstanceOf(RespError.class);
    }
  }

  @Test
  void optionThatTheServerRefuses() {
    assertThatIllegalStateException()
        .isThrownBy(() -> new EmbeddedServer().start("--no-such-option", "yes"))
        .withMessageContaining("ended at once");
  }

  @Test
  void frozenServerCanBeClosed() throws Exception {
    ServerProcess server = new EmbeddedServer().start();
    server.freeze();
    server.close();
    server.close();
    assertThatThrownBy(server::connect).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aServerAndItsFilesEndWithTheProgramThatStartedItHoweverThatEnds(@TempDir Path temporary)
      throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Starter.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String pid = program.inputReader().readLine();
    ProcessHandle server = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    assertThat(server.isAlive()).isTrue();
    assertThat(temporary.toFile().list()).hasSize(2);
    program.destroyForcibly();
    server.onExit().get(60, TimeUnit.SECONDS);
    await().atMost(Duration.ofSeconds(60)).until(() -> isEmpty(temporary));
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** Starts a server and waits for ever. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] arguments) throws InterruptedException {
      try (ServerProcess server = new EmbeddedServer().start();
          RespConnection connection = server.connect()) {
        String info = String.valueOf(connection.call("INFO", "server"));
        System.out.println(info.replaceAll("(?s).*process_id:(\\d+).*", "$1"));
        Thread.sleep(Long.MAX_VALUE);
      }
    }
  }

  @Test
  void aDirectoryThatIsOfNoUseIsNotTheLast() throws IOException {
    List<Path> tried = new ArrayList<>();
    Path made =
        TemporaryFiles.directory(
            "penstock-test",
            directory -> {
              tried.add(directory);
              if (tried.size() == 1) {
                throw new IOException("full");
              }
            });
    assertThat(tried).hasSize(2).last().isEqualTo(made);
    assertThat(tried.get(0)).doesNotExist();
    TemporaryFiles.delete(made);
    assertThatThrownBy(
            () ->
                TemporaryFiles.directory(
                    "penstock-test",
                    directory -> {
                      throw new IOException("full");
                    }))
        .hasMessageContaining(System.getProperty("java.io.tmpdir") + ": IOException, full");
  }

  @Test
  void anExecutableThatIsStillOpenForWritingIsWaitedFor(@TempDir Path directory) throws Exception {
    String server = new EmbeddedServer().executable().path().toString();
    Path launcher = directory.resolve("server");
    Files.writeString(launcher, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(server));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    CompletableFuture<ServerProcess> started;
    try (OutputStream open = Files.newOutputStream(launcher, StandardOpenOption.APPEND)) {
      started = CompletableFuture.supplyAsync(() -> new ServerExecutable("busy", launcher).start());
      assertThatThrownBy(() -> started.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      open.flush();
    }
    started.get(1, TimeUnit.MINUTES).close();
  }

  @Test
  void executableThatIsNone() {
    assertThatThrownBy(() -> new ServerExecutable("none", Path.of("/")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
