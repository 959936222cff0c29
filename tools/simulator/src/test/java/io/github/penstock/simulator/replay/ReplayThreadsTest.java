package io.github.penstock.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Replays by several threads. */
class ReplayThreadsTest {
  private static final int REQUESTS = 6_000;
  @AutoClose private static final TestServer server = new EmbeddedServer().start();
  @AutoClose private static final RedisClient client = RedisClient.create(server.url().toString());

  @Test
  void noFigureDependsOnTheNumberOfThreads() {
    List<String> alone = figures(1, "one", SubjectShare.ALL);
    assertThat(figures(2, "two", SubjectShare.ALL)).isEqualTo(alone);
    assertThat(figures(5, "five", SubjectShare.ALL)).isEqualTo(alone);
    assertThat(alone).allMatch(each -> !each.contains("denied 0,"));
  }

  @Test
  void noFigureDependsOnThePartThatTheScriptsDecide() {
    List<String> all = figures(2, "all", SubjectShare.ALL);
    assertThat(figures(2, "part", SubjectShare.of("1/5"))).isEqualTo(all);
    assertThat(client.keys("part:*")).hasSizeBetween(1, client.keys("all:*").size() / 2);
  }

  private static List<String> figures(int threads, String prefix, SubjectShare check) {
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
    try (TrafficReplay replay = new TrafficReplay(client, threads)) {
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
