package io.github.penstock.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.TestServer;
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

class ReplayTest {
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
    Compare compare = new Compare(client, "scenarios");
    for (Scenario scenario : Scenario.values()) {
      Played played = compare.scenario(scenario, scenario.candidates());
      assertThat(played.results()).hasSize(3);
    }
    assertThat(compare.decisions()).isGreaterThan(50_000);
  }

  @Test
  void randomTrafficOfManySubjectsCostsAndTiers() {
    Random random = new Random(11);
    List<Request> requests = new ArrayList<>();
    long now = Scenario.BEGIN_US;
    for (int i = 0; i < 20_000; i++) {
      now += (long) (-Math.log(1 - random.nextDouble()) * 20_000);
      String subject = random.nextInt(4) == 0 ? "häufig {1}" : "s" + random.nextInt(200);
      requests.add(new Request(now, subject, 1 + random.nextInt(3) * random.nextInt(4)));
    }
    Compare compare = new Compare(client, "random");
    List<Lane> lanes = lanes("fixed-window:7/1s+40/1m", "token-bucket:3/700ms,burst=11+50/1m");
    lanes.add(new Lane(Candidate.of("leaky-bucket:7/3s,burst=9"), "random", "leaky"));
    try (Replay replay = new Replay(client)) {
      replay.play(source(requests), lanes);
      assertThat(replay.decisions()).isEqualTo(60_000);
    }
    for (Lane lane : lanes) {
      assertThat(lane.tally().admitted()).isPositive();
      assertThat(lane.tally().denied()).isPositive();
      assertThat(lane.tally().never()).isZero();
    }
    assertThat(compare.decisions()).isZero();
  }

  @Test
  void aServerThatDecidesOtherwiseIsCaught() {
    Candidate said = Candidate.of("token-bucket:10/1s");
    Candidate served = Candidate.of("token-bucket:10/1s,burst=11");
    Lane lane = new Lane(said, served.limit(), "planted", "p");
    assertThatThrownBy(() -> play(requests(30), lane))
        .isInstanceOf(Disagreement.class)
        .hasMessageStartingWith("decision 1 differs from the exact model: token-bucket:10/1s,")
        .hasMessageContaining("the server answered [1, 11, 10, 0, 100000, 1]")
        .hasMessageContaining("the model says [1, 10, 9, 0, 100000, 1]");
  }

  @Test
  void aKeyThatSomebodyElseChargedIsCaught() {
    Candidate candidate = Candidate.of("fixed-window:10/1h");
    Lane lane = new Lane(candidate, "charged", "p");
    client.set("charged:p:{s}:w3600000000", (Scenario.BEGIN_US + 1_000_000) + ":9");
    assertThatThrownBy(() -> play(requests(3), lane)).isInstanceOf(Disagreement.class);
  }

  @Test
  void deniedClientsComeBackAfterExactlyTheWaitUntilAllAreAdmitted() {
    Played played =
        new Compare(client, "retry").scenario(Scenario.RETRY, Scenario.RETRY.candidates());
    assertThat(played.of("fixed-window").admitted()).isEqualTo(300);
    assertThat(played.of("fixed-window").asked()).isEqualTo(300 + 200 + 100);
    assertThat(played.of("token-bucket").admitted()).isEqualTo(300);
    assertThat(played.of("token-bucket").asked()).isEqualTo(100 + 200 * 201 / 2 + 200);
    assertThat(played.of("token-bucket").waits().percentile(0)).isLessThanOrEqualTo(100_000);
  }

  @Test
  void whatNoLongerMattersIsForgottenHereAndOnTheServer() {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 120_000; i++) {
      requests.add(new Request(Scenario.BEGIN_US + i * 1_000L, "subject-" + i, 1));
    }
    Lane lane = new Lane(Candidate.of("token-bucket:1/1s"), "forgotten", "p");
    play(source(requests), lane);
    assertThat(lane.remembered()).isLessThan(70_000);
    assertThat(client.keys("forgotten:*")).hasSizeLessThanOrEqualTo(lane.remembered());
    assertThat(lane.tally().shares().subjects()).isEqualTo(120_000);
  }

  @Test
  void aTierThatDidNotDecideIsRemembered() {
    List<Request> requests = new ArrayList<>();
    requests.add(new Request(Scenario.BEGIN_US, "special", 5));
    for (int i = 0; i < 51_000; i++) {
      requests.add(new Request(Scenario.BEGIN_US + i * 2_000L, "subject-" + i, 1));
    }
    requests.add(new Request(Scenario.BEGIN_US + 103_000_000, "special", 5));
    Lane lane = new Lane(Candidate.of("token-bucket:5/1s+2/1m,burst=5"), "tiers", "p");
    play(source(requests), lane);
    assertThat(lane.remembered()).isLessThan(51_000);
    assertThat(lane.tally().denied()).isEqualTo(1);
  }

  @Test
  void keysOfALongLimitOutliveSlowTraffic() {
    Lane lane = new Lane(Candidate.of("fixed-window:2/1s"), "slow", "p");
    try (Replay replay = new Replay(client)) {
      replay.play(new Slow(requests(4)), List.of(lane));
    }
    assertThat(lane.tally().admitted()).isEqualTo(2);
    assertThat(lane.tally().denied()).isEqualTo(2);
  }

  private static void play(Source source, Lane lane) {
    try (Replay replay = new Replay(client)) {
      replay.play(source, List.of(lane));
    }
  }

  private static List<Lane> lanes(String... limits) {
    List<Lane> lanes = new ArrayList<>();
    for (String limit : limits) {
      lanes.add(new Lane(Candidate.of(limit), "random", "p" + lanes.size()));
    }
    return lanes;
  }

  private static Source requests(int count) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(new Request(Scenario.BEGIN_US + i, "s", 1));
    }
    return source(requests);
  }

  private static Source source(List<Request> requests) {
    Queue<Request> left = new ArrayDeque<>(requests);
    return new Source() {
      @Override
      public @Nullable Request next() {
        return left.poll();
      }
    };
  }

  /** Is not ready before every request, as a log that is being written. */
  private static final class Slow implements Source {
    private final Source source;
    private boolean asked;

    Slow(Source source) {
      this.source = source;
    }

    @Override
    public boolean isReady() {
      asked = !asked;
      return !asked;
    }

    @Override
    public @Nullable Request next() {
      return source.next();
    }
  }
}
