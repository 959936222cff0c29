package io.github.penstock.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.penstock.benchmarks.limiter.CallStyle;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a server of its own, because the counters are the whole server's. */
class SharedTripsBenchmarkTest {
  @AutoClose private static final TestServer server = new EmbeddedServer().start();

  @BeforeEach
  void give() {
    System.setProperty("penstock.redis", server.url().toString());
  }

  @AfterEach
  void take() {
    System.clearProperty("penstock.redis");
  }

  @ParameterizedTest
  @CsvSource({"JEDIS, BLOCKING, 1000", "LETTUCE, STAGES, 0"})
  @DisplayName("asking has a command for each call, sharing has fewer, and Bucket4j is beside them")
  void commands(RedisClientType client, CallStyle style, long addedMicros)
      throws InterruptedException {
    List<String> rows = rows(client, style, addedMicros);
    assertThat(rows).hasSize(4);
    assertThat(commands(rows.get(0))).isCloseTo(100, within(5.0));
    assertThat(commands(rows.get(1))).isLessThan(60);
  }

  private static List<String> rows(RedisClientType client, CallStyle style, long addedMicros)
      throws InterruptedException {
    SharedTripsBenchmark benchmark = new SharedTripsBenchmark();
    benchmark.client = client;
    benchmark.style = style;
    benchmark.callers = 64;
    benchmark.addedMicros = addedMicros;
    benchmark.open();
    try {
      benchmark.round();
      return benchmark.table().lines().skip(3).toList();
    } finally {
      benchmark.close();
    }
  }

  private static double commands(String row) {
    return Double.parseDouble(row.substring(row.lastIndexOf(' ') + 1));
  }
}
