package io.github.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
  void executableThatIsNone() {
    assertThatThrownBy(() -> new ServerExecutable("none", Path.of("/")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
