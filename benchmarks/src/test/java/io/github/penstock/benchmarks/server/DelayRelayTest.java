package io.github.penstock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DelayRelayTest {
  @AutoClose private static final TestServer server = new EmbeddedServer().start();

  @Test
  @DisplayName("answers come in order, and none earlier than a round trip after its question")
  void delays() {
    long addedMicros = 5_000;
    try (DelayRelay relay = new DelayRelay(server.url(), addedMicros);
        RespConnection connection = RespConnection.open(relay.url(), Duration.ofMinutes(1))) {
      for (int i = 0; i < 20; i++) {
        long begun = System.nanoTime();
        connection.send("ECHO", "first" + i);
        connection.send("ECHO", "second" + i);
        assertThat(connection.receive()).isEqualTo("first" + i);
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
        assertThat(micros).isGreaterThan(addedMicros - 2 * DelayRelay.SLACK_MICROS);
        assertThat(connection.receive()).isEqualTo("second" + i);
      }
    }
  }
}
