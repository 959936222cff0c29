package io.github.penstock.compat.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.ScriptRoute;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The drop-ins that ask the server for its time keep the time at which they were called. */
class DropInClockTest {
  private final String key = "penstock-clock:{" + UUID.randomUUID() + "}";

  static Stream<ScriptRoute> routes() {
    return ScriptRoute.all().stream();
  }

  @ParameterizedTest
  @MethodSource("routes")
  @DisplayName("without a time, prorate-leaky-bucket keeps the server's, with its microseconds")
  void prorate(ScriptRoute route) {
    double before = time(route);
    call(route, "prorate-leaky-bucket", List.of(key, key + "t"), "1", "1", "10");
    assertThat(Double.parseDouble(stored(route, key + "t"))).isBetween(before, time(route));
    route.connection().call("DEL", key, key + "t");
  }

  @ParameterizedTest
  @MethodSource("routes")
  @DisplayName("with an empty time, rate-burst keeps the server's, in whole seconds")
  void rateBurst(ScriptRoute route) {
    for (String script : List.of("rate-burst", "rate-burst-boolean")) {
      double before = Math.floor(time(route));
      call(route, script, List.of(key, key + "t"), "1", "10", "", "1");
      assertThat(Double.parseDouble(stored(route, key + "t")))
          .isBetween(before, Math.floor(time(route)));
      route.connection().call("DEL", key, key + "t");
    }
  }

  @ParameterizedTest
  @MethodSource("routes")
  @DisplayName("without a time, redis-bucket keeps the server's, with its microseconds")
  void redisBucket(ScriptRoute route) {
    double before = time(route);
    call(route, "redis-bucket", List.of(key), "1", "1", "10");
    Object kept =
        route
            .connection()
            .call(
                "EVAL",
                "return string.format('%.17g', (cmsgpack.unpack(redis.call('GET', KEYS[1]))))",
                "1",
                key);
    assertThat(Double.parseDouble(String.valueOf(kept))).isBetween(before, time(route));
    route.connection().call("DEL", key);
  }

  private static void call(
      ScriptRoute route, String script, List<String> keys, String... arguments) {
    ScriptAnswer answer = route.port().call(script, keys, List.of(arguments));
    assertThat(answer.error()).isNull();
  }

  private static String stored(ScriptRoute route, String key) {
    return String.valueOf(route.connection().call("GET", key));
  }

  private static double time(ScriptRoute route) {
    RespConnection connection = route.connection();
    List<?> time = (List<?>) connection.call("TIME");
    return Double.parseDouble(String.valueOf(time.get(0)))
        + Double.parseDouble(String.valueOf(time.get(1))) / 1_000_000;
  }
}
