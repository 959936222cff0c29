package io.github.penstock.benchmarks.plan;

import static io.github.penstock.benchmarks.limiter.TripSaving.ASKED;
import static io.github.penstock.benchmarks.limiter.TripSaving.BATCHING;
import static io.github.penstock.benchmarks.limiter.TripSaving.BUCKET4J;
import static io.github.penstock.benchmarks.limiter.TripSaving.SHARED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.CallsInFlight;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterFactory;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.LimiterUnderTest;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectSequence;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.server.ServerStats;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class BenchmarkCaseTest {
  /* A client asks within 3 s after its first call, and then every 10 s, whether its server answers. */
  private static final int CHECKS = 3;

  private static final List<BenchmarkCandidate> BESIDE_FLOORS =
      List.of(PenstockAlgorithm.TOKEN_BUCKET, FloorCall.SAME_COMMANDS, FloorCall.TOKEN_BUCKET);
  @AutoClose private static final TestServer server = new EmbeddedServer().start();

  @AfterEach
  void nothingIsLeft() {
    assertThat(server.call("DBSIZE")).as("keys that were left behind").isEqualTo(0L);
  }

  @Test
  @DisplayName("A case reads its own name, and complains about anything else")
  void text() {
    for (BenchmarkCase each : BenchmarkProfile.FULL.cases(List.of(RedisClientType.LETTUCE))) {
      assertThat(BenchmarkCase.parse(each.shortName(), each.client(), each.threads()))
          .isEqualTo(each);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BenchmarkCase.parse("PING", RedisClientType.JEDIS, 1))
        .withMessageContaining("PING");
  }

  @ParameterizedTest
  @EnumSource(RedisClientType.class)
  @DisplayName("A batch makes a hundred decisions, and its floor as many calls, on every client")
  void batches(RedisClientType client) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target);
        RespConnection connection = target.connect()) {
      for (BenchmarkCandidate callee : BESIDE_FLOORS) {
        Predicate<SubjectSequence> call =
            BenchmarkCase.batch(client, callee, 1).on(session, target);
        call.test(new SubjectSequence(SubjectWorkload.ALLOWED, 0));
        connection.call("CONFIG", "RESETSTAT");
        assertThat(call.test(new SubjectSequence(SubjectWorkload.ALLOWED, 1))).isTrue();
        assertThat(target.read(ServerStats::ofCommands).trips(callee))
            .as("%s on %s", callee, client)
            .isBetween(1.0 * BenchmarkCase.BATCH_SIZE, 1.0 * BenchmarkCase.BATCH_SIZE + CHECKS);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = RedisClientType.class,
      names = {"LETTUCE", "REDISSON", "GLIDE"})
  @DisplayName("Calls in flight are all sent and timed, and one that fails fails the benchmark")
  void inFlight(RedisClientType client) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target)) {
      for (BenchmarkCandidate callee : BESIDE_FLOORS) {
        CallsInFlight calls =
            (CallsInFlight) BenchmarkCase.async(client, callee).on(session, target);
        SubjectSequence walk = new SubjectSequence(SubjectWorkload.ALLOWED, 0);
        // The first is sent twice where the server does not know the script yet.
        calls.test(walk);
        calls.drain();
        calls.begin();
        ServerStats before = target.read(ServerStats::ofCommands);
        for (int i = 0; i < 2 * CallsInFlight.MOST; i++) {
          calls.test(walk);
        }
        calls.drain();
        ServerStats used = target.read(ServerStats::ofCommands).since(before);
        assertThat(used.trips(callee))
            .as("%s", callee)
            .isBetween(2.0 * CallsInFlight.MOST, 2.0 * CallsInFlight.MOST + CHECKS);
        assertThat(calls.nanos(50)).isPositive().isLessThanOrEqualTo(calls.nanos(99));
      }
    }
    CallsInFlight failing =
        new CallsInFlight(subject -> CompletableFuture.failedFuture(new IOException("late")));
    failing.test(new SubjectSequence(SubjectWorkload.ALLOWED, 0));
    assertThatIllegalStateException().isThrownBy(failing::drain).withMessage("a call failed");
  }

  @ParameterizedTest
  @EnumSource(RedisClientType.class)
  @DisplayName(
      "Those who are allowed and those who are denied are interleaved without spoiling each other")
  void interleavedPeers(RedisClientType client) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target)) {
      for (LimiterType contender : LimiterType.values()) {
        if (contender.cannot(client).isEmpty()) {
          Predicate<SubjectSequence> allowed =
              BenchmarkCase.peer(client, contender, SubjectWorkload.HOT, 1).on(session, target);
          Predicate<SubjectSequence> denied =
              BenchmarkCase.peer(client, contender, SubjectWorkload.EXHAUSTED, 1)
                  .on(session, target);
          SubjectSequence walk = new SubjectSequence(SubjectWorkload.HOT, 0);
          for (int round = 0; round < 3; round++) {
            assertThat(allowed.test(walk)).as("%s", contender).isTrue();
            assertThat(denied.test(walk)).as("%s", contender).isFalse();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = RedisClientType.class, mode = Mode.EXCLUDE, names = "GLIDE")
  @DisplayName(
      "What asks makes a trip for each decision, and what is meant to save trips saves them")
  void trips(RedisClientType client) {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = client.open(target)) {
      for (SubjectWorkload workload : List.of(SubjectWorkload.EXHAUSTED, SubjectWorkload.HOT)) {
        for (TripSaving saving : TripSaving.about(workload)) {
          Predicate<SubjectSequence> call =
              BenchmarkCase.near(client, saving, workload, 1).on(session, target);
          SubjectSequence walk = new SubjectSequence(workload, 0);
          ServerStats before = target.read(ServerStats::ofCommands);
          for (int i = 0; i < 500; i++) {
            assertThat(call.test(walk)).as("%s", saving).isNotEqualTo(workload.denied(0));
          }
          double trips = target.read(ServerStats::ofCommands).since(before).trips(saving);
          boolean asks = Set.of(ASKED, SHARED, BUCKET4J, BATCHING).contains(saving);
          int each = saving.sendsGets() && workload == SubjectWorkload.HOT ? 2 : 1;
          if (asks) {
            assertThat(trips).as("%s", saving).isBetween(500.0 * each, 500.0 * each + CHECKS);
          } else {
            assertThat(trips).as("%s", saving).isLessThan(500);
          }
        }
      }
    }
  }

  @Test
  @DisplayName(
      "The asked rows of denied subjects make a trip for each, also where many are asked for")
  void denialsAsk() {
    try (BenchmarkTarget target = BenchmarkTarget.at(server.url());
        ClientSession session = RedisClientType.JEDIS.open(target)) {
      Predicate<SubjectSequence> call =
          BenchmarkCase.bucket(RedisClientType.JEDIS, SubjectWorkload.EXHAUSTED, 8)
              .on(session, target);
      ServerStats before = target.read(ServerStats::ofCommands);
      SubjectSequence walk = new SubjectSequence(SubjectWorkload.EXHAUSTED, 0);
      for (int i = 0; i < 100; i++) {
        assertThat(call.test(walk)).isFalse();
      }
      assertThat(
              target
                  .read(ServerStats::ofCommands)
                  .since(before)
                  .trips(PenstockAlgorithm.TOKEN_BUCKET))
          .isBetween(100.0, 100.0 + CHECKS);
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
      for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
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
}
