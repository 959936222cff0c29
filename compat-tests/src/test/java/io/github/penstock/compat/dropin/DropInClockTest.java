package io.github.penstock.compat.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.ScriptLane;
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

  static Stream<ScriptLane> lanes() {
    return ScriptLane.all().stream();
  }

  @ParameterizedTest
  @MethodSource("lanes")
  @DisplayName("without a time, prorate-leaky-bucket keeps the server's, with its microseconds")
  void prorate(ScriptLane lane) {
    double before = time(lane);
    call(lane, "prorate-leaky-bucket", List.of(key, key + "t"), "1", "1", "10");
    assertThat(Double.parseDouble(stored(lane, key + "t"))).isBetween(before, time(lane));
    lane.connection().call("DEL", key, key + "t");
  }

  @ParameterizedTest
  @MethodSource("lanes")
  @DisplayName("with an empty time, rate-burst keeps the server's, in whole seconds")
  void rateBurst(ScriptLane lane) {
    for (String script : List.of("rate-burst", "rate-burst-boolean")) {
      double before = Math.floor(time(lane));
      call(lane, script, List.of(key, key + "t"), "1", "10", "", "1");
      assertThat(Double.parseDouble(stored(lane, key + "t")))
          .isBetween(before, Math.floor(time(lane)));
      lane.connection().call("DEL", key, key + "t");
    }
  }

  @ParameterizedTest
  @MethodSource("lanes")
  @DisplayName("without a time, redis-bucket keeps the server's, with its microseconds")
  void redisBucket(ScriptLane lane) {
    double before = time(lane);
    call(lane, "redis-bucket", List.of(key), "1", "1", "10");
    Object kept =
        lane.connection()
            .call(
                "EVAL",
                "return string.format('%.17g', (cmsgpack.unpack(redis.call('GET', KEYS[1]))))",
                "1",
                key);
    assertThat(Double.parseDouble(String.valueOf(kept))).isBetween(before, time(lane));
    lane.connection().call("DEL", key);
  }

  private static void call(ScriptLane lane, String script, List<String> keys, String... arguments) {
    ScriptAnswer answer = lane.port().call(script, keys, List.of(arguments));
    assertThat(answer.error()).isNull();
  }

  private static String stored(ScriptLane lane, String key) {
    return String.valueOf(lane.connection().call("GET", key));
  }

  private static double time(ScriptLane lane) {
    RespConnection connection = lane.connection();
    List<?> time = (List<?>) connection.call("TIME");
    return Double.parseDouble(String.valueOf(time.get(0)))
        + Double.parseDouble(String.valueOf(time.get(1))) / 1_000_000;
  }
}
