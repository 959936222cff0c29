package io.github.penstock.benchmarks.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimiterTypeTest {
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
  @EnumSource(RedisClientType.class)
  @DisplayName("Through every client each limiter allows and denies as its workload says")
  void workloads(RedisClientType client) {
    for (LimiterType contender : LimiterType.values()) {
      if (contender.cannot(client).isEmpty()) {
        assertThat(decides(client, contender, SubjectWorkload.HOT)).as("%s", contender).isTrue();
        assertThat(decides(client, contender, SubjectWorkload.EXHAUSTED))
            .as("%s", contender)
            .isFalse();
      }
    }
    try (RespConnection connection = server.connect()) {
      assertThat(connection.call("DBSIZE")).as("keys that were left behind").isEqualTo(0L);
    }
  }

  @ParameterizedTest
  @EnumSource(RedisClientType.class)
  @DisplayName("Through every client every floor answers, and each algorithm takes three tiers")
  void floors(RedisClientType client) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target)) {
      for (FloorCall floor : FloorCall.values()) {
        assertThat(floor.on(session, target, SubjectWorkload.HOT).decide(0))
            .as("%s", floor)
            .isTrue();
      }
      for (PenstockAlgorithm algorithm : PenstockAlgorithm.values()) {
        for (SubjectWorkload workload :
            new SubjectWorkload[] {SubjectWorkload.HOT, SubjectWorkload.EXHAUSTED}) {
          LimiterUnderTest decider =
              LimiterFactory.penstock(session.limiters(), algorithm, workload, 3);
          assertThat(LimiterFactory.prepared(decider, workload).decide(0))
              .as("%s, %s", algorithm, workload)
              .isEqualTo(workload == SubjectWorkload.HOT);
        }
      }
    }
  }

  private static boolean decides(
      RedisClientType client, LimiterType contender, SubjectWorkload workload) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target)) {
      LimiterUnderTest decider = contender.on(session, target, workload);
      return LimiterFactory.prepared(decider, workload).decide(0);
    }
  }
}
