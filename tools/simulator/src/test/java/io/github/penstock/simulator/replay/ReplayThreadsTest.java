package io.github.penstock.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.TimeSeries.Kind;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Replays on several servers by several threads. */
class ReplayThreadsTest {
  private static final int REQUESTS = 6_000;
  private static final List<TestServer> STARTED = new ArrayList<>();
  private static final List<RedisClient> CLIENTS = new ArrayList<>();

  @BeforeAll
  static void start() {
    for (int i = 0; i < 2; i++) {
      STARTED.add(new EmbeddedServer().start());
      CLIENTS.add(RedisClient.create(STARTED.get(i).url().toString()));
    }
  }

  @AfterAll
  static void stop() {
    CLIENTS.forEach(RedisClient::close);
    STARTED.forEach(TestServer::close);
  }

  @Test
  void noFigureDependsOnTheNumberOfThreads() {
    List<String> alone = figures(CLIENTS.subList(0, 1), 1, "one");
    assertThat(figures(CLIENTS, 2, "two")).isEqualTo(alone);
    assertThat(figures(CLIENTS, 5, "five")).isEqualTo(alone);
    assertThat(alone).allMatch(each -> !each.contains("denied 0,"));
  }

  @Test
  void noFigureDependsOnThePartThatTheScriptsDecide() {
    List<String> all = figures(CLIENTS, 2, "all");
    assertThat(figures(CLIENTS, 2, "part", SubjectShare.of("1/5"))).isEqualTo(all);
    assertThat(CLIENTS.stream().mapToInt(each -> each.keys("part:*").size()).sum())
        .isBetween(1, CLIENTS.stream().mapToInt(each -> each.keys("all:*").size()).sum() / 2);
  }

  @Test
  void eachServerDecidesAboutSomeSubjects() {
    figures(CLIENTS, 2, "shared");
    List<Integer> keys = CLIENTS.stream().map(each -> each.keys("shared:*").size()).toList();
    assertThat(keys).allMatch(each -> each > 100);
    assertThat(CLIENTS.get(0).keys("shared:*"))
        .doesNotContainAnyElementsOf(CLIENTS.get(1).keys("shared:*"));
  }

  @Test
  void aDifferenceOnTheLastServerIsCaught() {
    LimitCandidate window = LimitCandidate.of("fixed-window:10/1h");
    LimitReplay limit = new LimitReplay(window, "charged", "p", null);
    CLIENTS.get(1).set("charged:p:{s7}:w3600000000", (TrafficScenario.BEGIN_US + 1_000_000) + ":9");
    CLIENTS.get(0).set("charged:p:{s7}:w3600000000", (TrafficScenario.BEGIN_US + 1_000_000) + ":9");
    assertThatThrownBy(
            () -> {
              try (TrafficReplay replay = new TrafficReplay(CLIENTS, 2)) {
                replay.play(source(), List.of(limit));
              }
            })
        .isInstanceOf(ModelMismatchException.class)
        .hasMessageContaining("subject s7,");
  }

  private static List<String> figures(List<RedisClient> servers, int threads, String prefix) {
    return figures(servers, threads, prefix, SubjectShare.ALL);
  }

  private static List<String> figures(
      List<RedisClient> servers, int threads, String prefix, SubjectShare check) {
    LeaseSettings leases = new LeaseSettings(3, LeaseSettings.terms("10,1s"));
    List<LimitReplay> limits = new ArrayList<>();
    for (String text :
        List.of(
            "fixed-window:7/1s+40/1m",
            "token-bucket:3/700ms,burst=11",
            "sliding-window:9/1s",
            "leaky-bucket:7/3s,burst=9",
            "interval-bucket:9/3s,burst=12")) {
      LimitCandidate candidate = LimitCandidate.of(text);
      limits.add(new LimitReplay(candidate, prefix, "p" + limits.size(), leases));
    }
    limits.forEach(
        limit ->
            limit.begin(
                TrafficScenario.BEGIN_US,
                SubjectSample.ALL,
                new CheckShare(check, Long.MAX_VALUE),
                ReplayStats.DEADLINE_US));
    try (TrafficReplay replay = new TrafficReplay(servers, threads)) {
      replay.play(source(), limits);
      assertThat(replay.decisions()).isGreaterThan(5 * REQUESTS);
      assertThat(replay.checked()).isBetween(1L, replay.decisions() / (check.isWhole() ? 1 : 2));
      assertThat(replay.checked() == replay.decisions()).isEqualTo(check.isWhole());
    }
    List<String> figures = new ArrayList<>();
    for (LimitReplay limit : limits) {
      figures.add(figures(limit.stats()));
      figures.add(figures(Objects.requireNonNull(limit.leasing()).server().stats()));
    }
    return figures;
  }

  private static String figures(ReplayStats stats) {
    return "denied %d, %s %s %d %d %s %s"
        .formatted(
            stats.denied(),
            stats.peaks(),
            stats.shares().mostDenied(5),
            stats.longWaitUs(),
            stats.longDelayUs(),
            Arrays.toString(stats.series().counts(Kind.PASSED)),
            Arrays.toString(stats.series().counts(Kind.DENIED)));
  }

  private static RequestSource source() {
    SplittableRandom random = new SplittableRandom(3);
    long[] now = {TrafficScenario.BEGIN_US};
    int[] left = {REQUESTS};
    return () -> {
      now[0] += random.nextLong(4_000);
      String subject = random.nextInt(3) == 0 ? "s7" : "s" + random.nextInt(400);
      int cost = 1 + random.nextInt(3) * random.nextInt(3);
      return left[0]-- > 0 ? new TrafficRequest(now[0], subject, cost) : null;
    };
  }
}
