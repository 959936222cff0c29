package io.github.penstock.compat;

import static io.github.penstock.compat.StateExamples.inUse;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.resp.ServerClock;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls as production makes them, without the caller's time. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("io.github.penstock.compat.ScriptRoute#withScripts")
record ServerTimeTest(ScriptRoute route, ScriptAlgorithm script) {
  private static final long SECOND_US = 1_000_000;
  private static final long MINUTE_US = 60_000_000;
  private static final long HOUR_US = 3_600_000_000L;

  @Test
  @DisplayName(
      "P5 P7 at the server's time the reply, the state and its unpadded time to live are the model's")
  void serversTime() {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    List<String> arguments = arguments("5", script.tier(7, 3_600_000_000L));
    long beforeUs = ServerClock.nowUs(route.connection());
    ScriptAnswer answer = route.port().call(script.scriptName(), List.of(key), arguments);
    long afterUs = ServerClock.nowUs(route.connection());
    ExpectedOutcome early =
        ExactModel.of(script).call(List.of(key), arguments, StoredValue.NOTHING, beforeUs);
    assertThat(answer.reply()).isEqualTo(early.reply());
    String state = String.valueOf(route.connection().call("GET", key));
    ExpectedOutcome late =
        ExactModel.of(script).call(List.of(key), arguments, StoredValue.NOTHING, afterUs);
    assertThat(Long.parseLong(state.substring(0, 16))).isBetween(stored(early), stored(late));
    Long ttlMs = (Long) route.connection().call("PTTL", key);
    assertThat(ttlMs)
        .isBetween(early.stored().ttlMs() - passedMs(beforeUs), early.stored().ttlMs());
    route.connection().call("DEL", key);
  }

  /**
   * Milliseconds since a time of the server, rounded up, and one for the time to live's rounding.
   */
  private long passedMs(long sinceUs) {
    return (ServerClock.nowUs(route.connection()) - sinceUs + 999) / 1_000 + 1;
  }

  private static long stored(ExpectedOutcome outcome) {
    return Long.parseLong(String.valueOf(outcome.stored().text()).substring(0, 16));
  }

  @Test
  @DisplayName("P5 when its time to live is over the key is gone, and with it the limit")
  void keyIsGone() {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    List<Long> tier = script.tier(5, 20_000);
    List<String> arguments = arguments("5", tier);
    assertThat(route.port().call(script.scriptName(), List.of(key), arguments).reply())
        .startsWith(1L);
    long endUs = ServerClock.nowUs(route.connection()) + script.fullUs(tier);
    ServerClock.awaitPast(route.connection(), endUs + 1_000);
    assertThat(route.connection().call("EXISTS", key)).isEqualTo(0L);
    assertThat(route.port().call(script.scriptName(), List.of(key), arguments).reply())
        .startsWith(1L);
  }

  @Test
  @DisplayName(
      "P5 P10 a refund that empties the tier that reaches furthest shortens the time to live")
  void refundShortens() {
    long nowUs = ServerClock.nowUs(route.connection());
    String state = inUse(script, 1, nowUs + 60_000_000, MINUTE_US);
    state += " " + inUse(script, 3, nowUs + 30_000_000, 30_000_000);
    List<String> arguments =
        isEven()
            ? arguments("-1", List.of(5L, 1L, MINUTE_US), List.of(60L, 1L, SECOND_US))
            : arguments("-1", script.tier(5, MINUTE_US), script.tier(5, 30_000_000));
    assertLives(isEven() ? 29_000 : 30_000, nowUs, state, arguments);
  }

  @Test
  @DisplayName("P5 P10 after a refund of one tier the time to live is that of what is left")
  void refundOfOneTier() {
    long nowUs = ServerClock.nowUs(route.connection());
    String state = inUse(script, 3, nowUs + 30_000_000, MINUTE_US);
    List<String> arguments =
        arguments("-1", isEven() ? List.of(60L, 1L, SECOND_US) : script.tier(5, MINUTE_US));
    assertLives(isEven() ? 29_000 : 30_000, nowUs, state, arguments);
  }

  @Test
  @DisplayName("P5 P9 what is cut lives no longer than a full bucket or window")
  void cutShortens() {
    long nowUs = ServerClock.nowUs(route.connection());
    List<Long> tier = script.tier(5, MINUTE_US);
    String state = inUse(script, 3, nowUs + HOUR_US, MINUTE_US);
    for (String cost : isEven() ? List.of("5", "6") : List.of("5", "6", "1")) {
      assertLives(script.fullUs(tier) / 1_000, nowUs, state, arguments(cost, tier));
    }
  }

  @Test
  @DisplayName("P5 P9 what is cut in one of two tiers lives no longer than the longer of them")
  void cutOfTwoTiersShortens() {
    long nowUs = ServerClock.nowUs(route.connection());
    List<Long> tier = script.tier(5, MINUTE_US);
    String state = inUse(script, 1, nowUs + 30_000_000, MINUTE_US);
    state += " " + inUse(script, 1, nowUs + HOUR_US, MINUTE_US);
    for (String cost : List.of("1", "6")) {
      List<String> arguments = arguments(cost, tier, tier);
      assertLives(script.fullUs(tier) / 1_000, nowUs, state, arguments);
    }
  }

  /** True of the buckets that gain evenly: what is used follows from the time that is stored. */
  private boolean isEven() {
    return LimitSetting.kind(script).refill() == RefillForm.EVENLY;
  }

  @SafeVarargs
  private static List<String> arguments(String cost, List<Long>... tiers) {
    List<String> arguments = new ArrayList<>(List.of(cost));
    for (List<Long> tier : tiers) {
      tier.forEach(number -> arguments.add(number.toString()));
    }
    return arguments;
  }

  /** Makes a state and a call; what is left must live this long from a time of the server on. */
  private void assertLives(long mostMs, long sinceUs, String state, List<String> arguments) {
    String key = "penstock-time:{" + UUID.randomUUID() + "}";
    route.connection().call("SET", key, state, "PX", "3600000");
    ScriptAnswer answer = route.port().call(script.scriptName(), List.of(key), arguments);
    assertThat(answer.error()).isNull();
    Long ttlMs = (Long) route.connection().call("PTTL", key);
    assertThat(ttlMs).isBetween(mostMs - passedMs(sinceUs), mostMs);
    route.connection().call("DEL", key);
  }
}
