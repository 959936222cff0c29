package io.github.penstock.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

class TrafficReplayTest {
  private static TestServer server;
  private static RedisClient client;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
    client = RedisClient.create(server.url().toString());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Test
  void everyScenarioIsDecidedAsTheModelSays() {
    TrafficComparison compare = new TrafficComparison(client, "scenarios");
    for (TrafficScenario scenario : TrafficScenario.values()) {
      ReplayResult played = compare.scenario(scenario, scenario.candidates(), null);
      assertThat(played.results()).hasSize(5).allSatisfy(TrafficReplayTest::passesNoMoreThanItCan);
    }
    assertThat(compare.decisions()).isGreaterThan(50_000);
  }

  private static void passesNoMoreThanItCan(LimitResult result) {
    assertThat(result.stats().peaks())
        .allSatisfy(peak -> assertThat(peak.most()).isBetween(1L, result.atMost(peak)));
  }

  @Test
  void randomTrafficOfManySubjectsCostsAndTiers() {
    Random random = new Random(11);
    List<TrafficRequest> requests = new ArrayList<>();
    long now = TrafficScenario.BEGIN_US;
    for (int i = 0; i < 20_000; i++) {
      now += (long) (-Math.log(1 - random.nextDouble()) * 20_000);
      String subject = random.nextInt(4) == 0 ? "häufig {1}" : "s" + random.nextInt(200);
      requests.add(new TrafficRequest(now, subject, 1 + random.nextInt(3) * random.nextInt(4)));
    }
    TrafficComparison compare = new TrafficComparison(client, "random");
    List<LimitReplay> limits =
        limits(
            "fixed-window:7/1s+40/1m",
            "token-bucket:3/700ms,burst=11+50/1m",
            "sliding-window:9/1s",
            "interval-bucket:9/3s,burst=12");
    limits.add(new LimitReplay(LimitCandidate.of("leaky-bucket:7/3s,burst=9"), "random", "leaky"));
    try (TrafficReplay replay = new TrafficReplay(client)) {
      replay.play(source(requests), limits);
      assertThat(replay.decisions()).isEqualTo(100_000);
    }
    for (LimitReplay limit : limits) {
      assertThat(limit.stats().admitted()).isPositive();
      assertThat(limit.stats().denied()).isPositive();
      assertThat(limit.stats().never()).isZero();
      passesNoMoreThanItCan(new LimitResult(limit.candidate(), limit.stats(), null));
    }
    assertThat(compare.decisions()).isZero();
  }

  @Test
  void aServerThatDecidesOtherwiseIsCaught() {
    LimitCandidate said = LimitCandidate.of("token-bucket:10/1s");
    LimitCandidate served = LimitCandidate.of("token-bucket:10/1s,burst=11");
    LimitReplay limit = new LimitReplay(said, served.limit(), "planted", "p");
    assertThatThrownBy(() -> play(requests(30), limit))
        .isInstanceOf(ModelMismatchException.class)
        .hasMessageStartingWith("decision 1 differs from the exact model: token-bucket:10/1s,")
        .hasMessageContaining("the server answered [1, 11, 10, 0, 100000, 1]")
        .hasMessageContaining("the model says [1, 10, 9, 0, 100000, 1]");
  }

  @Test
  void aKeyThatSomebodyElseChargedIsCaught() {
    LimitCandidate candidate = LimitCandidate.of("fixed-window:10/1h");
    LimitReplay limit = new LimitReplay(candidate, "charged", "p");
    client.set("charged:p:{s}:w3600000000", (TrafficScenario.BEGIN_US + 1_000_000) + ":9");
    assertThatThrownBy(() -> play(requests(3), limit)).isInstanceOf(ModelMismatchException.class);
  }

  @Test
  void deniedClientsComeBackAfterExactlyTheWaitUntilAllAreAdmitted() {
    ReplayResult played =
        new TrafficComparison(client, "retry")
            .scenario(TrafficScenario.RETRY, TrafficScenario.RETRY.candidates(), null);
    assertThat(of(played, "fixed-window").admitted()).isEqualTo(300);
    assertThat(of(played, "fixed-window").asked()).isEqualTo(300 + 200 + 100);
    assertThat(of(played, "token-bucket").admitted()).isEqualTo(300);
    assertThat(of(played, "token-bucket").asked()).isEqualTo(100 + 200 * 201 / 2 + 200);
    assertThat(of(played, "token-bucket").waits().percentile(0)).isLessThanOrEqualTo(100_000);
  }

  @Test
  void whatNoLongerMattersIsForgottenHereAndOnTheServer() {
    List<TrafficRequest> requests = new ArrayList<>();
    for (int i = 0; i < 120_000; i++) {
      requests.add(new TrafficRequest(TrafficScenario.BEGIN_US + i * 1_000L, "subject-" + i, 1));
    }
    LimitReplay limit = new LimitReplay(LimitCandidate.of("token-bucket:1/1s"), "forgotten", "p");
    play(source(requests), limit);
    assertThat(limit.remembered()).isLessThan(70_000);
    assertThat(client.keys("forgotten:*")).hasSizeLessThanOrEqualTo(limit.remembered());
    assertThat(limit.stats().shares().subjects()).isEqualTo(120_000);
  }

  @Test
  void aTierThatDidNotDecideIsRemembered() {
    List<TrafficRequest> requests = new ArrayList<>();
    requests.add(new TrafficRequest(TrafficScenario.BEGIN_US, "special", 5));
    for (int i = 0; i < 51_000; i++) {
      requests.add(new TrafficRequest(TrafficScenario.BEGIN_US + i * 2_000L, "subject-" + i, 1));
    }
    requests.add(new TrafficRequest(TrafficScenario.BEGIN_US + 103_000_000, "special", 5));
    LimitReplay limit =
        new LimitReplay(LimitCandidate.of("token-bucket:5/1s+2/1m,burst=5"), "tiers", "p");
    play(source(requests), limit);
    assertThat(limit.remembered()).isLessThan(51_000);
    assertThat(limit.stats().denied()).isEqualTo(1);
  }

  private static ReplayStats of(ReplayResult played, String algorithm) {
    return played.results().stream()
        .filter(result -> result.candidate().algorithm().equals(algorithm))
        .findFirst()
        .orElseThrow()
        .stats();
  }

  private static void play(RequestSource source, LimitReplay limit) {
    try (TrafficReplay replay = new TrafficReplay(client)) {
      replay.play(source, List.of(limit));
    }
  }

  private static List<LimitReplay> limits(String... texts) {
    List<LimitReplay> limits = new ArrayList<>();
    for (String text : texts) {
      limits.add(new LimitReplay(LimitCandidate.of(text), "random", "p" + limits.size()));
    }
    return limits;
  }

  private static RequestSource requests(int count) {
    List<TrafficRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(new TrafficRequest(TrafficScenario.BEGIN_US + i, "s", 1));
    }
    return source(requests);
  }

  private static RequestSource source(List<TrafficRequest> requests) {
    Queue<TrafficRequest> left = new ArrayDeque<>(requests);
    return new RequestSource() {
      @Override
      public @Nullable TrafficRequest next() {
        return left.poll();
      }
    };
  }
}
