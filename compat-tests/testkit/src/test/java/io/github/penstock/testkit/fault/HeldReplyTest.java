package io.github.penstock.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespVersion;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HeldReplyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private final TestServer server = TestServers.one();

  @Test
  @DisplayName("a call is executed while its reply is held, and the reply comes once faults end")
  void held() {
    String key = UUID.randomUUID().toString();
    try (FaultProxy proxy = FaultProxy.before(server.url());
        RespConnection connection = RespConnection.open(proxy.url(), RespVersion.RESP2, PATIENCE)) {
      proxy.set(NetworkFault.REPLY_HELD);
      CompletableFuture<Object> reply =
          CompletableFuture.supplyAsync(
              () -> connection.call("EVAL", "return redis.call('INCR', KEYS[1])", "1", key));
      ServerEvents.await("the call").until(() -> server.call("GET", key) != null);
      assertThat(reply).isNotDone();
      proxy.set(NetworkFault.NONE);
      assertThat(reply.join()).isEqualTo(1L);
      assertThat(proxy.faulted()).isEqualTo(1);
    } finally {
      server.call("DEL", key);
    }
  }
}
