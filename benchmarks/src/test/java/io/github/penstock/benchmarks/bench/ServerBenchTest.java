package io.github.penstock.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.benchmarks.jmh.Workload;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.TestServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** On a server of its own, because the counters are the whole server's. */
class ServerBenchTest {
  private static TestServer server;
  private static ReplicatedServer replicated;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
    replicated = ReplicatedServer.start(new EmbeddedServer());
  }

  @AfterAll
  static void stop() {
    server.close();
    replicated.close();
  }

  @Test
  @DisplayName("P8 three commands within the script of an allowed call, two of a denied one")
  void commands() {
    assertThat(use("token-bucket", Workload.HOT).commands()).isCloseTo(4, within(0.02));
    ServerUse denied = use("token-bucket", Workload.EXHAUSTED);
    assertThat(denied.commands()).isCloseTo(3, within(0.02));
    assertThat(denied.bytesReplicated()).as("a denial writes nothing").isLessThan(1);
    assertThat(denied.commandMicros()).isPositive();
  }

  @Test
  @DisplayName("A GET that no script makes is counted as a call of its own")
  void plainGet() {
    ServerUse denied = use(Contender.BUCKET4J.title(), Workload.EXHAUSTED);
    assertThat(denied.commands()).isCloseTo(1, within(0.1));
    assertThat(denied.commandMicros()).isPositive();
  }

  @Test
  @DisplayName("Every script can be measured, and leaves no key behind")
  void scripts() {
    try (RespConnection connection = server.connect()) {
      List<ScriptCase> cases = ScriptCase.all(true);
      try (Target target = Target.at(server.url())) {
        List<ScriptCost> costs = new ScriptBench(target, connection).measure(cases, 1);
        assertThat(costs).hasSameSizeAs(cases).allMatch(cost -> cost.micros() > 0);
      }
      assertThat(connection.call("DBSIZE")).isEqualTo(0L);
    }
  }

  @Test
  @DisplayName("Growth is measured with keys, and with one and two masters")
  void growth() {
    GrowthBench growth = new GrowthBench(640);
    assertThat(growth.keys(server.url(), List.of(1_000, 2_000), 2))
        .allMatch(point -> point.micros() > 0)
        .extracting(GrowthPoint::what, GrowthPoint::size)
        .containsExactly(
            tuple(Case.title(Algorithm.TOKEN_BUCKET), 1_000),
            tuple(Floor.SAME_COMMANDS.title(), 1_000),
            tuple(Case.title(Algorithm.TOKEN_BUCKET), 2_000),
            tuple(Floor.SAME_COMMANDS.title(), 2_000));
    assertThat(growth.masters(new EmbeddedServer().executable(), List.of(1, 2), 2))
        .hasSize(2)
        .allMatch(point -> point.perSecond() > 0 && point.micros() > 0);
  }

  private static ServerUse use(String what, Workload workload) {
    ServerCase measured =
        ServerCase.of(Profile.FULL, List.of(Client.JEDIS)).stream()
            .filter(c -> c.what().equals(what) && c.workload() == workload)
            .findFirst()
            .orElseThrow();
    ServerUse use =
        new ServerBench(server.url(), replicated, 800)
            .measure(List.of(measured), 2, round -> {})
            .get(0);
    assertThat(use.problem()).isNull();
    return use;
  }
}
