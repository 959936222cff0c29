package io.github.penstock.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContenderTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Client.class)
  @DisplayName("Through every client each limiter allows and denies as its workload says")
  void workloads(Client client) {
    for (Contender contender : Contender.values()) {
      if (contender.cannot(client).isEmpty()) {
        assertThat(decides(client, contender, Workload.HOT)).as("%s", contender).isTrue();
        assertThat(decides(client, contender, Workload.EXHAUSTED)).as("%s", contender).isFalse();
      }
    }
    try (RespConnection connection = server.connect()) {
      assertThat(connection.call("DBSIZE")).as("keys that were left behind").isEqualTo(0L);
    }
  }

  @ParameterizedTest
  @EnumSource(Client.class)
  @DisplayName("Through every client every floor answers, and each algorithm takes three tiers")
  void floors(Client client) {
    try (Target target = Target.at(server.url());
        Session session = client.open(target)) {
      for (Floor floor : Floor.values()) {
        assertThat(floor.on(session, target, Workload.HOT).decide(0)).as("%s", floor).isTrue();
      }
      for (Algorithm algorithm : Algorithm.values()) {
        for (Workload workload : new Workload[] {Workload.HOT, Workload.EXHAUSTED}) {
          Decider decider = Deciders.penstock(session.limiters(), algorithm, workload, 3);
          assertThat(Deciders.prepared(decider, workload).decide(0))
              .as("%s, %s", algorithm, workload)
              .isEqualTo(workload == Workload.HOT);
        }
      }
    }
  }

  private static boolean decides(Client client, Contender contender, Workload workload) {
    try (Target target = Target.at(server.url());
        Session session = client.open(target)) {
      Decider decider = contender.on(session, target, workload);
      return Deciders.prepared(decider, workload).decide(0);
    }
  }
}
