package io.github.penstock.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.CalleeType;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectSequence;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InterleavedCaseTest {
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
    InterleavedCase turn =
        new InterleavedCase(
            InterleavedCase.Kind.ALGORITHM, "LEAKY_BUCKET", SubjectWorkload.MIXED, 3);
    assertThat(turn).hasToString("ALGORITHM/LEAKY_BUCKET/MIXED/3");
    assertThat(InterleavedCase.parse(turn.toString())).isEqualTo(turn);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InterleavedCase.parse("PING"))
        .withMessageContaining("PING");
  }

  @ParameterizedTest
  @EnumSource(RedisClientType.class)
  @DisplayName("A batch makes a hundred decisions, and its floor as many calls, on every client")
  void batches(RedisClientType client) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target);
        RespConnection connection = target.connect()) {
      for (CalleeType callee : CalleeType.values()) {
        InterleavedCase turn =
            InterleavedCase.batch(callee.candidate(PenstockAlgorithm.TOKEN_BUCKET));
        InterleavedCase.Call call = turn.on(session, target);
        call.make(new SubjectSequence(SubjectWorkload.ALLOWED, 0));
        connection.call("CONFIG", "RESETSTAT");
        assertThat(call.make(new SubjectSequence(SubjectWorkload.ALLOWED, 1))).isTrue();
        assertThat(String.valueOf(connection.call("INFO", "commandstats")))
            .as("%s on %s", callee, client)
            .contains("cmdstat_evalsha:calls=" + InterleavedCase.BATCH_SIZE + ",");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(RedisClientType.class)
  @DisplayName(
      "Those who are allowed and those who are denied take turns without spoiling each other")
  void peersByTurns(RedisClientType client) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target)) {
      for (LimiterType contender : LimiterType.values()) {
        if (contender.cannot(client).isEmpty()) {
          InterleavedCase hot =
              new InterleavedCase(
                  InterleavedCase.Kind.PEER, contender.name(), SubjectWorkload.HOT, 1);
          InterleavedCase shut =
              new InterleavedCase(
                  InterleavedCase.Kind.PEER, contender.name(), SubjectWorkload.EXHAUSTED, 1);
          InterleavedCase.Call allowed = hot.on(session, target);
          InterleavedCase.Call denied = shut.on(session, target);
          SubjectSequence walk = new SubjectSequence(SubjectWorkload.HOT, 0);
          for (int round = 0; round < 3; round++) {
            assertThat(allowed.make(walk)).as("%s", contender).isTrue();
            assertThat(denied.make(walk)).as("%s", contender).isFalse();
          }
        }
      }
    }
  }
}
