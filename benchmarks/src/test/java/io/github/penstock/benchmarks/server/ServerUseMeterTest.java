package io.github.penstock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.plan.ServerCase;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** On a server of its own, because the counters are the whole server's. */
class ServerUseMeterTest {
  @AutoClose private static final TestServer server = new EmbeddedServer().start();

  @Test
  @DisplayName("P8 three commands within the script of an allowed call, two of a denied one")
  void commands() {
    assertThat(use(PenstockAlgorithm.TOKEN_BUCKET, SubjectWorkload.HOT).commands())
        .isCloseTo(4, within(0.02));
    ServerUse denied = use(PenstockAlgorithm.TOKEN_BUCKET, SubjectWorkload.EXHAUSTED);
    assertThat(denied.commands()).isCloseTo(3, within(0.02));
    assertThat(denied.commandMicros()).isPositive();
  }

  @Test
  @DisplayName("A GET that no script makes is counted as a call of its own")
  void plainGet() {
    ServerUse denied = use(LimiterType.BUCKET4J, SubjectWorkload.EXHAUSTED);
    assertThat(denied.commands()).isCloseTo(1, within(0.1));
    assertThat(denied.commandMicros()).isPositive();
  }

  @Test
  @DisplayName("Every script can be measured, and leaves no key behind")
  void scripts() {
    List<ScriptCase> calls = ScriptCase.all(true);
    try (RespConnection connection = server.connect();
        RedisClient client = client()) {
      try (ScriptCostMeter meter = new ScriptCostMeter(client, "scripts")) {
        assertThat(meter.measure(calls, 400, 2, 1))
            .hasSameSizeAs(calls)
            .allMatch(cost -> cost.micros() > 0);
      }
      assertThat(connection.call("DBSIZE")).isEqualTo(0L);
    }
  }

  @Test
  @DisplayName("Scripts that somebody else runs meanwhile are noticed")
  void scriptsOfOthers() throws InterruptedException {
    AtomicBoolean measured = new AtomicBoolean();
    Thread somebody = new Thread(() -> runScriptsUntil(measured));
    somebody.start();
    try (RedisClient client = client();
        ScriptCostMeter meter = new ScriptCostMeter(client, "others")) {
      List<ScriptCase> calls = List.of(ScriptCase.floor(FloorCall.EMPTY_SCRIPT));
      assertThatThrownBy(() -> meter.measure(calls, 200, 1_000, 1))
          .isInstanceOf(UserErrorException.class)
          .hasMessageContaining("somebody else is running scripts");
    } finally {
      measured.set(true);
      somebody.join();
    }
  }

  private static void runScriptsUntil(AtomicBoolean measured) {
    try (RespConnection connection = server.connect()) {
      while (!measured.get()) {
        connection.call("EVAL", "return 1", "0");
      }
    }
  }

  private static RedisClient client() {
    return RedisClient.create(server.url().toString());
  }

  private static ServerUse use(BenchmarkCandidate what, SubjectWorkload workload) {
    ServerCase measured = new ServerCase(what, RedisClientType.JEDIS, workload);
    assertThat(BenchmarkProfile.FULL.serverCases(List.of(RedisClientType.JEDIS)))
        .contains(measured);
    ServerUse use = new ServerUseMeter(server.url(), 800).measure(List.of(measured), 2).get(0);
    assertThat(use.problem()).isNull();
    assertThat(use.commandMicros()).isPositive();
    return use;
  }
}
