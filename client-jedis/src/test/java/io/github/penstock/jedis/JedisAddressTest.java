package io.github.penstock.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.Decision;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An address that leads to another server from one moment on, and cuts no connection. */
class JedisAddressTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private static final RateLimiterOptions OPTIONS =
      RateLimiterOptions.builder()
          .deadline(Duration.ofMinutes(1))
          .onUnavailable(OnUnavailable.ALLOW)
          .build();

  @Test
  @DisplayName("a connection that was in use while its address moved is not used again")
  void inUse() {
    try (ServerProcess old = new EmbeddedServer().start();
        ServerProcess now = replica(old);
        FaultProxy proxy = FaultProxy.before(old.url());
        JedisRateLimiters limiters = JedisRateLimiters.connect(proxy.url().toString(), OPTIONS)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      assertThat(api.tryAcquire("u").enforced()).isTrue();
      proxy.setOnce(NetworkFault.REPLY_HELD, 1);
      CompletableFuture<Decision> held =
          CompletableFuture.supplyAsync(
              () -> api.tryAcquire("u"), call -> new Thread(call).start());
      ServerEvents.await("a call whose answer is held").until(() -> proxy.faulted() == 1);
      assertThat(api.tryAcquire("u").enforced()).isTrue();
      ReplicaSync.await(old, now);
      now.call("REPLICAOF", "NO", "ONE");
      proxy.moveTo(now.url());
      old.call("REPLICAOF", now.url().host(), Integer.toString(now.url().port()));
      assertThat(api.tryAcquire("u").enforced()).isFalse();
      ServerEvents.await("a decision").until(() -> api.tryAcquire("u").enforced());
      proxy.set(NetworkFault.NONE);
      assertThat(held).succeedsWithin(Duration.ofMinutes(1)).matches(Decision::enforced);
      assertThat(api.tryAcquire("u").enforced()).isTrue();
    }
  }

  private static ServerProcess replica(ServerProcess primary) {
    String port = Integer.toString(primary.url().port());
    return new EmbeddedServer()
        .start("--repl-diskless-sync-delay", "0", "--replicaof", primary.url().host(), port);
  }
}
