package io.github.penstock.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TurnTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @DisplayName("A turn reads what it wrote, and complains about anything else")
  void text() {
    Turn turn = new Turn(Turn.Kind.ALGORITHM, "LEAKY_BUCKET", Workload.MIXED, 3);
    assertThat(turn).hasToString("ALGORITHM/LEAKY_BUCKET/MIXED/3");
    assertThat(Turn.parse(turn.toString())).isEqualTo(turn);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Turn.parse("PING"))
        .withMessageContaining("PING");
  }

  @ParameterizedTest
  @EnumSource(Client.class)
  @DisplayName("A batch makes a hundred decisions, and its floor as many calls, on every client")
  void batches(Client client) {
    try (Target target = Target.at(server.url());
        Session session = client.open(target);
        RespConnection connection = target.connect()) {
      for (Callee callee : Callee.values()) {
        Turn turn = Turn.batch(callee, Algorithm.TOKEN_BUCKET);
        Turn.Call call = turn.on(session, target);
        call.make(new Walk(Workload.ALLOWED, 0));
        connection.call("CONFIG", "RESETSTAT");
        assertThat(call.make(new Walk(Workload.ALLOWED, 1))).isTrue();
        assertThat(String.valueOf(connection.call("INFO", "commandstats")))
            .as("%s on %s", callee, client)
            .contains("cmdstat_evalsha:calls=" + turn.kind().decisions() + ",");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Client.class)
  @DisplayName(
      "Those who are allowed and those who are denied take turns without spoiling each other")
  void peersByTurns(Client client) {
    try (Target target = Target.at(server.url());
        Session session = client.open(target)) {
      for (Contender contender : Contender.values()) {
        if (contender.cannot(client).isEmpty()) {
          Turn hot = new Turn(Turn.Kind.PEER, contender.name(), Workload.HOT, 1);
          Turn shut = new Turn(Turn.Kind.PEER, contender.name(), Workload.EXHAUSTED, 1);
          Turn.Call allowed = hot.on(session, target);
          Turn.Call denied = shut.on(session, target);
          Walk walk = new Walk(Workload.HOT, 0);
          for (int round = 0; round < 3; round++) {
            assertThat(allowed.make(walk)).as("%s", contender).isTrue();
            assertThat(denied.make(walk)).as("%s", contender).isFalse();
          }
        }
      }
    }
  }
}
