package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.model.Model;
import io.github.penstock.compat.model.Outcome;
import io.github.penstock.compat.model.Stored;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls as production makes them, without the caller's time. */
class ServerTimeTest {

  static Stream<Arguments> lanesAndScripts() {
    return Lane.all().stream()
        .flatMap(lane -> Stream.of(Algorithm.values()).map(script -> Arguments.of(lane, script)));
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName(
      "P5 P7 at the server's time the reply, the state and its unpadded time to live are the model's")
  void serversTime(Lane lane, Algorithm script) {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    boolean window = script == Algorithm.FIXED_WINDOW;
    List<String> arguments =
        window ? List.of("5", "7", "3600000000") : List.of("5", "7", "7", "3600000000");
    long beforeUs = serverTimeUs(lane);
    ScriptAnswer answer = lane.port().call(script.scriptName(), List.of(key), arguments);
    long afterUs = serverTimeUs(lane);
    Outcome early = Model.of(script).call(List.of(key), arguments, Stored.NOTHING, beforeUs);
    assertThat(answer.reply()).isEqualTo(early.reply());
    String state = String.valueOf(lane.connection().call("GET", key));
    Outcome late = Model.of(script).call(List.of(key), arguments, Stored.NOTHING, afterUs);
    assertThat(Long.parseLong(state.substring(0, 16))).isBetween(stored(early), stored(late));
    Long ttlMs = (Long) lane.connection().call("PTTL", key);
    assertThat(ttlMs).isBetween(early.stored().ttlMs() - 5_000, early.stored().ttlMs());
    lane.connection().call("DEL", key);
  }

  private static long stored(Outcome outcome) {
    return Long.parseLong(String.valueOf(outcome.stored().text()).substring(0, 16));
  }

  private static long serverTimeUs(Lane lane) {
    List<?> time = (List<?>) lane.connection().call("TIME");
    return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000
        + Long.parseLong(String.valueOf(time.get(1)));
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 when its time to live is over the key is gone, and with it the limit")
  void keyIsGone(Lane lane, Algorithm script) throws InterruptedException {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    boolean window = script == Algorithm.FIXED_WINDOW;
    List<String> arguments = window ? List.of("5", "5", "20000") : List.of("5", "5", "5", "20000");
    assertThat(lane.port().call(script.scriptName(), List.of(key), arguments).reply())
        .startsWith(1L);
    Thread.sleep(25);
    assertThat(lane.connection().call("EXISTS", key)).isEqualTo(0L);
    assertThat(lane.port().call(script.scriptName(), List.of(key), arguments).reply())
        .startsWith(1L);
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName(
      "P5 P10 a refund that empties the tier that reaches furthest shortens the time to live")
  void refundShortens(Lane lane, Algorithm script) {
    long nowUs = serverTimeUs(lane);
    boolean window = script == Algorithm.FIXED_WINDOW;
    String state =
        window
            ? (nowUs + 60_000_000) + ":1 " + (nowUs + 30_000_000) + ":3"
            : (nowUs + 60_000_000) + " " + (nowUs + 30_000_000);
    List<String> arguments =
        window
            ? List.of("-1", "5", "60000000", "5", "30000000")
            : List.of("-1", "5", "1", "60000000", "60", "1", "1000000");
    assertThat(ttlMsAfter(lane, script, state, arguments)).isBetween(20_000L, 30_000L);
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 P10 after a refund of one tier the time to live is that of what is left")
  void refundOfOneTier(Lane lane, Algorithm script) {
    long endUs = serverTimeUs(lane) + 30_000_000;
    boolean window = script == Algorithm.FIXED_WINDOW;
    String state = window ? endUs + ":3" : Long.toString(endUs);
    List<String> arguments =
        window ? List.of("-1", "5", "60000000") : List.of("-1", "60", "1", "1000000");
    assertThat(ttlMsAfter(lane, script, state, arguments)).isBetween(20_000L, 30_000L);
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 P9 what is cut lives no longer than a full bucket or window")
  void cutShortens(Lane lane, Algorithm script) {
    boolean window = script == Algorithm.FIXED_WINDOW;
    long farUs = serverTimeUs(lane) + 3_600_000_000L;
    String state = window ? farUs + ":3" : Long.toString(farUs);
    for (String cost : List.of("5", "6")) {
      List<String> arguments =
          window ? List.of(cost, "5", "60000000") : List.of(cost, "5", "5", "60000000");
      assertThat(ttlMsAfter(lane, script, state, arguments)).isBetween(50_000L, 60_000L);
    }
    if (window) {
      assertThat(ttlMsAfter(lane, script, state, List.of("1", "5", "60000000")))
          .isBetween(50_000L, 60_000L);
    }
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 P9 what is cut in one of two tiers lives no longer than the longer of them")
  void cutOfTwoTiersShortens(Lane lane, Algorithm script) {
    long nowUs = serverTimeUs(lane);
    long soonUs = nowUs + 30_000_000;
    long farUs = nowUs + 3_600_000_000L;
    boolean window = script == Algorithm.FIXED_WINDOW;
    String state = window ? soonUs + ":1 " + farUs + ":1" : soonUs + " " + farUs;
    for (String cost : List.of("1", "6")) {
      List<String> arguments =
          window
              ? List.of(cost, "5", "60000000", "5", "60000000")
              : List.of(cost, "5", "5", "60000000", "5", "5", "60000000");
      assertThat(ttlMsAfter(lane, script, state, arguments)).isBetween(50_000L, 60_000L);
    }
  }

  private static Long ttlMsAfter(
      Lane lane, Algorithm script, String state, List<String> arguments) {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    lane.connection().call("SET", key, state, "PX", "3600000");
    ScriptAnswer answer = lane.port().call(script.scriptName(), List.of(key), arguments);
    assertThat(answer.error()).isNull();
    Long ttlMs = (Long) lane.connection().call("PTTL", key);
    lane.connection().call("DEL", key);
    return ttlMs;
  }
}
