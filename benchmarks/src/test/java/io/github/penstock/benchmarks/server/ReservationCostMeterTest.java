package io.github.penstock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

class ReservationCostMeterTest {
  /* What follows a key's three times. */
  private static final String HELD = "return #cmsgpack.unpack(redis.call('GET', KEYS[1])) - 3";

  @Test
  @DisplayName("every call is measured, what is held is settled, and no key is left")
  void everyCall() {
    try (TestServer server = new EmbeddedServer().start();
        RedisClient client = RedisClient.create(server.url().toString())) {
      try (ReservationCostMeter meter = new ReservationCostMeter(client, "mine")) {
        Map<ReservationCase, Double> micros = meter.measure(20, 2);
        assertThat(micros).containsOnlyKeys(ReservationCase.values());
        assertThat(micros.values()).allMatch(each -> each > 0);
        long held =
            client.keys("mine:THREE_HELD:*:2").stream()
                .filter(key -> !client.eval(HELD, 1, key).equals(0L))
                .count();
        assertThat(held).isZero();
      }
      assertThat(client.dbSize()).isZero();
    }
  }

  @Test
  @DisplayName("scripts of others are noticed")
  void others() throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    try (TestServer server = new EmbeddedServer().start();
        RedisClient client = RedisClient.create(server.url().toString());
        ReservationCostMeter meter = new ReservationCostMeter(client, "mine")) {
      Thread other =
          new Thread(
              () -> {
                while (!ended.get()) {
                  client.eval("return 1");
                }
              });
      other.start();
      try {
        assertThatThrownBy(() -> meter.measure(20, 1_000))
            .isInstanceOf(UserErrorException.class)
            .hasMessageContaining("somebody else is running scripts");
      } finally {
        ended.set(true);
        other.join();
      }
    }
  }
}
