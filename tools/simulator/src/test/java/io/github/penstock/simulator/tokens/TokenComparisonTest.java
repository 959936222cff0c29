package io.github.penstock.simulator.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficScenario;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

class TokenComparisonTest {
  private static final long SECOND_US = 1_000_000;
  private static final LimitCandidate HUNDRED = LimitCandidate.of("fixed-window:100/1m");
  @AutoClose private static final TestServer server = new EmbeddedServer().start();
  @AutoClose private static final RedisClient client = RedisClient.create(server.url().toString());

  @Test
  void tenCallsAtOnceAllPassWhereTheyAreChargedAfterwards() {
    List<TokenCall> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(call(0, 5, 25, 20));
    }
    assertThat(most(calls)).containsExactly(200L, 80L, 80L, 80L);
    assertThat(denied(calls)).containsExactly(0L, 6L, 6L, 6L);
  }

  @Test
  void aLateRefundMakesRoomInAWindowThatNeverPaidForIt() {
    List<TokenCall> calls = new ArrayList<>(List.of(call(0, 90, 100, 10), call(70, 1, 100, 100)));
    for (int i = 0; i < 9; i++) {
      calls.add(call(92 + i, 1, 10, 10));
    }
    // The second window pays 100 for the second call; the first one's refund lets nine more begin.
    assertThat(denied(calls)).containsExactly(9L, 9L, 0L, 1L);
    assertThat(most(calls).get(ChargeWay.REFUND.ordinal())).isGreaterThan(190);
    assertThat(most(calls).get(ChargeWay.RESERVED.ordinal())).isLessThanOrEqualTo(100);
  }

  @Test
  void anEstimateBeyondTheLimitIsNeverAllowed() {
    TokenStats reserved =
        played(List.of(call(0, 1, 101, 1))).get(ChargeWay.RESERVED.ordinal()).plays().get(0);
    assertThat(reserved.never()).isEqualTo(1);
    assertThat(reserved.waits().count()).isZero();
  }

  @Test
  void subjectsHaveLimitsOfTheirOwn() {
    List<TokenCall> calls =
        List.of(
            new TokenCall(TrafficScenario.BEGIN_US, "a", 0, 100, 100),
            new TokenCall(TrafficScenario.BEGIN_US, "b", 0, 100, 60));
    assertThat(denied(calls)).containsOnly(0L);
    assertThat(most(calls)).containsOnly(100L);
    assertThat(played(calls).get(0).plays().get(0).percentUsed()).isEqualTo(100);
  }

  @Test
  void eachKindThatCanBeHeldIsDecidedAsTheScriptsDo() {
    for (String limit :
        List.of("token-bucket:9000/1m,burst=5000+100000/1h", "sliding-window:9000/1m")) {
      TokenComparison compare = new TokenComparison(client, 2, "kinds-" + limit.charAt(0));
      List<TokenCall> calls = TokenSetting.all().get(0).calls(3);
      List<TokenResult> results = compare.log("log", calls, List.of(LimitCandidate.of(limit)));
      assertThat(results).hasSize(4);
      assertThat(compare.decisions()).isGreaterThan(4L * calls.size());
      assertThat(results).allMatch(each -> each.plays().get(0).denied() > 0);
    }
  }

  @Test
  void aServerThatAnswersOtherwiseIsNoticed() {
    client.set("other:tokens-0:{s}:w60000000", (TrafficScenario.BEGIN_US + SECOND_US) + ":9");
    client.set("other:tokens-1:{s}:w60000000", (TrafficScenario.BEGIN_US + SECOND_US) + ":9");
    TokenComparison compare = new TokenComparison(client, 1, "other");
    List<TokenCall> calls = List.of(call(0, 1, 10, 10));
    assertThatThrownBy(() -> compare.log("log", calls, List.of(HUNDRED)))
        .hasMessageContaining("differs from the exact model");
  }

  private static List<TokenResult> played(List<TokenCall> calls) {
    String prefix = "penstock-" + System.nanoTime();
    return new TokenComparison(client, 2, prefix).log("log", calls, List.of(HUNDRED));
  }

  private static List<Long> most(List<TokenCall> calls) {
    return played(calls).stream().map(each -> each.plays().get(0).most()).toList();
  }

  private static List<Long> denied(List<TokenCall> calls) {
    return played(calls).stream().map(each -> each.plays().get(0).denied()).toList();
  }

  private static TokenCall call(long second, long seconds, long estimated, long used) {
    return new TokenCall(
        TrafficScenario.BEGIN_US + second * SECOND_US, "s", seconds * SECOND_US, estimated, used);
  }
}
