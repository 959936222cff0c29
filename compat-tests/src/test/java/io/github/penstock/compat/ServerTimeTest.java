package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.resp.ServerClock;
import io.github.penstock.testkit.script.ScriptAnswer;
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
    return ScriptLane.all().stream()
        .flatMap(
            lane -> Stream.of(ScriptAlgorithm.values()).map(script -> Arguments.of(lane, script)));
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName(
      "P5 P7 at the server's time the reply, the state and its unpadded time to live are the model's")
  void serversTime(ScriptLane lane, ScriptAlgorithm script) {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    boolean window = script == ScriptAlgorithm.FIXED_WINDOW;
    List<String> arguments =
        window ? List.of("5", "7", "3600000000") : List.of("5", "7", "7", "3600000000");
    long beforeUs = ServerClock.nowUs(lane.connection());
    ScriptAnswer answer = lane.port().call(script.scriptName(), List.of(key), arguments);
    long afterUs = ServerClock.nowUs(lane.connection());
    ExpectedOutcome early =
        ExactModel.of(script).call(List.of(key), arguments, StoredValue.NOTHING, beforeUs);
    assertThat(answer.reply()).isEqualTo(early.reply());
    String state = String.valueOf(lane.connection().call("GET", key));
    ExpectedOutcome late =
        ExactModel.of(script).call(List.of(key), arguments, StoredValue.NOTHING, afterUs);
    assertThat(Long.parseLong(state.substring(0, 16))).isBetween(stored(early), stored(late));
    Long ttlMs = (Long) lane.connection().call("PTTL", key);
    assertThat(ttlMs)
        .isBetween(early.stored().ttlMs() - passedMs(lane, beforeUs), early.stored().ttlMs());
    lane.connection().call("DEL", key);
  }

  /**
   * Milliseconds since a time of the server, rounded up, and one for the time to live's rounding.
   */
  private static long passedMs(ScriptLane lane, long sinceUs) {
    return (ServerClock.nowUs(lane.connection()) - sinceUs + 999) / 1_000 + 1;
  }

  private static long stored(ExpectedOutcome outcome) {
    return Long.parseLong(String.valueOf(outcome.stored().text()).substring(0, 16));
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 when its time to live is over the key is gone, and with it the limit")
  void keyIsGone(ScriptLane lane, ScriptAlgorithm script) {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    boolean window = script == ScriptAlgorithm.FIXED_WINDOW;
    List<String> arguments = window ? List.of("5", "5", "20000") : List.of("5", "5", "5", "20000");
    assertThat(lane.port().call(script.scriptName(), List.of(key), arguments).reply())
        .startsWith(1L);
    long endUs = ServerClock.nowUs(lane.connection()) + 20_000;
    ServerClock.awaitPast(lane.connection(), endUs + 1_000);
    assertThat(lane.connection().call("EXISTS", key)).isEqualTo(0L);
    assertThat(lane.port().call(script.scriptName(), List.of(key), arguments).reply())
        .startsWith(1L);
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName(
      "P5 P10 a refund that empties the tier that reaches furthest shortens the time to live")
  void refundShortens(ScriptLane lane, ScriptAlgorithm script) {
    long nowUs = ServerClock.nowUs(lane.connection());
    boolean window = script == ScriptAlgorithm.FIXED_WINDOW;
    String state =
        window
            ? (nowUs + 60_000_000) + ":1 " + (nowUs + 30_000_000) + ":3"
            : (nowUs + 60_000_000) + " " + (nowUs + 30_000_000);
    List<String> arguments =
        window
            ? List.of("-1", "5", "60000000", "5", "30000000")
            : List.of("-1", "5", "1", "60000000", "60", "1", "1000000");
    assertLives(window ? 30_000 : 29_000, nowUs, lane, script, state, arguments);
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 P10 after a refund of one tier the time to live is that of what is left")
  void refundOfOneTier(ScriptLane lane, ScriptAlgorithm script) {
    long nowUs = ServerClock.nowUs(lane.connection());
    long endUs = nowUs + 30_000_000;
    boolean window = script == ScriptAlgorithm.FIXED_WINDOW;
    String state = window ? endUs + ":3" : Long.toString(endUs);
    List<String> arguments =
        window ? List.of("-1", "5", "60000000") : List.of("-1", "60", "1", "1000000");
    assertLives(window ? 30_000 : 29_000, nowUs, lane, script, state, arguments);
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 P9 what is cut lives no longer than a full bucket or window")
  void cutShortens(ScriptLane lane, ScriptAlgorithm script) {
    boolean window = script == ScriptAlgorithm.FIXED_WINDOW;
    long nowUs = ServerClock.nowUs(lane.connection());
    long farUs = nowUs + 3_600_000_000L;
    String state = window ? farUs + ":3" : Long.toString(farUs);
    for (String cost : List.of("5", "6")) {
      List<String> arguments =
          window ? List.of(cost, "5", "60000000") : List.of(cost, "5", "5", "60000000");
      assertLives(60_000, nowUs, lane, script, state, arguments);
    }
    if (window) {
      assertLives(60_000, nowUs, lane, script, state, List.of("1", "5", "60000000"));
    }
  }

  @ParameterizedTest
  @MethodSource("lanesAndScripts")
  @DisplayName("P5 P9 what is cut in one of two tiers lives no longer than the longer of them")
  void cutOfTwoTiersShortens(ScriptLane lane, ScriptAlgorithm script) {
    long nowUs = ServerClock.nowUs(lane.connection());
    long soonUs = nowUs + 30_000_000;
    long farUs = nowUs + 3_600_000_000L;
    boolean window = script == ScriptAlgorithm.FIXED_WINDOW;
    String state = window ? soonUs + ":1 " + farUs + ":1" : soonUs + " " + farUs;
    for (String cost : List.of("1", "6")) {
      List<String> arguments =
          window
              ? List.of(cost, "5", "60000000", "5", "60000000")
              : List.of(cost, "5", "5", "60000000", "5", "5", "60000000");
      assertLives(60_000, nowUs, lane, script, state, arguments);
    }
  }

  /** Makes a state and a call; what is left must live this long from a time of the server on. */
  private static void assertLives(
      long mostMs,
      long sinceUs,
      ScriptLane lane,
      ScriptAlgorithm script,
      String state,
      List<String> arguments) {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    lane.connection().call("SET", key, state, "PX", "3600000");
    ScriptAnswer answer = lane.port().call(script.scriptName(), List.of(key), arguments);
    assertThat(answer.error()).isNull();
    Long ttlMs = (Long) lane.connection().call("PTTL", key);
    assertThat(ttlMs).isBetween(mostMs - passedMs(lane, sinceUs), mostMs);
    lane.connection().call("DEL", key);
  }
}
