package io.github.penstock.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.LeaseStats;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

class TrafficReplayTest {
  @AutoClose private static final TestServer server = new EmbeddedServer().start();
  @AutoClose private static final RedisClient client = RedisClient.create(server.url().toString());

  @Test
  void everyScenarioIsDecidedAsTheModelSays() {
    TrafficComparison compare = new TrafficComparison(client, 2, "scenarios");
    for (TrafficScenario scenario : TrafficScenario.values()) {
      ReplayResult played = compare.scenario(scenario, scenario.candidates(), null);
      assertThat(played.results())
          .hasSameSizeAs(LimitKind.values())
          .allSatisfy(TrafficReplayTest::passesNoMoreThanItCan);
    }
    assertThat(compare.decisions()).isGreaterThan(50_000);
  }

  @Test
  void processesThatLeaseAreDecidedAsTheModelSays() {
    TrafficComparison compare = new TrafficComparison(client, 2, "leasing");
    LeaseSettings leases = new LeaseSettings(4, LeaseSettings.terms("100,500ms"));
    for (TrafficScenario scenario : List.of(TrafficScenario.EDGE, TrafficScenario.BUSY)) {
      ReplayResult played = compare.scenario(scenario, scenario.candidates(), leases);
      assertThat(played.results()).allSatisfy(TrafficReplayTest::leasesNoMoreThanItMay);
    }
    List<LimitCandidate> windows = List.of(LimitCandidate.of("fixed-window:100/10s"));
    ReplayResult reacting = compare.scenario(TrafficScenario.RETRY, windows, leases);
    leasesNoMoreThanItMay(reacting.results().get(0));
    assertThat(compare.decisions()).isGreaterThan(5 * (2_000 + 11_000) + 600);
  }

  private static void leasesNoMoreThanItMay(LimitResult result) {
    LeaseStats leasing = Objects.requireNonNull(result.leasing());
    assertThat(leasing.stats().peaks())
        .allSatisfy(
            peak -> assertThat(peak.most()).isBetween(1L, result.atMostLeasing(leasing, peak)));
    assertThat(leasing.stats().asked()).isEqualTo(result.stats().asked());
    assertThat(leasing.stats().admitted())
        .isEqualTo(result.stats().admitted() - leasing.deniedWrongly() + leasing.admittedMore());
    long trips = leasing.requests(DecisionSource.SERVER);
    long remembered = leasing.requests(DecisionSource.REMEMBERED);
    long leased = leasing.requests(DecisionSource.LEASED);
    assertThat(trips + remembered + leased).isEqualTo(result.stats().asked());
    assertThat(leased == 0 || leasing.leases()).isTrue();
    assertThat(leasing.unitsUnused()).isBetween(0L, leasing.unitsLeased());
  }

  @Test
  void aLeaseThatTheServerDecidesOtherwiseIsCaught() {
    LeaseSettings leases = new LeaseSettings(1, LeaseSettings.terms("10,1s"));
    LimitCandidate candidate = LimitCandidate.of("fixed-window:80/1h");
    LimitReplay limit = new LimitReplay(candidate, "taken", "p", leases);
    client.set("taken:p-leasing:{s}:w3600000000", (TrafficScenario.BEGIN_US + 1_000_000) + ":9");
    assertThatThrownBy(() -> play(requests(3), limit))
        .isInstanceOf(ModelMismatchException.class)
        .hasMessageStartingWith("decision 2 differs");
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
    TrafficComparison compare = new TrafficComparison(client, 2, "random");
    List<LimitReplay> limits =
        limits(
            "fixed-window:7/1s+40/1m",
            "token-bucket:3/700ms,burst=11+50/1m",
            "sliding-window:9/1s",
            "interval-bucket:9/3s,burst=12");
    limits.add(
        new LimitReplay(LimitCandidate.of("leaky-bucket:7/3s,burst=9"), "random", "leaky", null));
    try (TrafficReplay replay = new TrafficReplay(client, 2)) {
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
    LimitReplay limit = new LimitReplay(candidate, "charged", "p", null);
    client.set("charged:p:{s}:w3600000000", (TrafficScenario.BEGIN_US + 1_000_000) + ":9");
    assertThatThrownBy(() -> play(requests(3), limit)).isInstanceOf(ModelMismatchException.class);
  }

  @Test
  void deniedClientsComeBackAfterExactlyTheWaitUntilAllAreAdmitted() {
    ReplayResult played =
        new TrafficComparison(client, 2, "retry")
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
    LeaseSettings leases = new LeaseSettings(3, LeaseSettings.terms("10,1s"));
    LimitReplay limit =
        new LimitReplay(LimitCandidate.of("token-bucket:1/1s"), "forgotten", "p", leases);
    play(source(requests), limit);
    assertThat(limit.remembered()).isLessThan(70_000);
    assertThat(client.keys("forgotten:p:*")).hasSizeLessThanOrEqualTo(limit.remembered());
    assertThat(client.keys("forgotten:p-leasing:*")).hasSizeLessThan(70_000);
    assertThat(limit.stats().shares().subjects()).isEqualTo(120_000);
    LimitReplay leasing = Objects.requireNonNull(limit.leasing()).server();
    assertThat(leasing.stats().shares().subjects()).isEqualTo(120_000);
    assertThat(leasing.remembered()).isLessThan(70_000);
  }

  @Test
  @Tag("load")
  void twoMillionSubjectsTakeSweepsInProportionToThem() {
    int subjects = 2_000_000;
    LimitReplay limit =
        new LimitReplay(LimitCandidate.of("fixed-window:1000/1d"), "many", "p", null);
    limit.begin(
        TrafficScenario.BEGIN_US,
        SubjectSample.ALL,
        new CheckShare(SubjectShare.of("1/1000000"), 1),
        ReplayStats.DEADLINE_US);
    int sweeps = 0;
    for (int i = 0; i < subjects; i++) {
      TrafficRequest request = new TrafficRequest(TrafficScenario.BEGIN_US + i, "s" + i, 1);
      SubjectState state = limit.live(request.subject());
      ModelReply reply = limit.model(request, 1, state);
      limit.count(request, state, reply.allowed(), reply.waitUs());
      if (limit.isCrowded()) {
        limit.forget(request.timeUs());
        sweeps++;
        assertThat(sweeps).isLessThanOrEqualTo(20);
      }
    }
    assertThat(limit.remembered()).isEqualTo(subjects);
    assertThat(sweeps).isGreaterThan(1);
    assertThat(limit.lookedAt()).isLessThan(4L * subjects);
    assertThat(limit.stats().shares().subjects()).isEqualTo(subjects);
    assertThat(limit.stats().peaks().get(0).exact()).isTrue();
  }

  @Test
  void noFigureDependsOnTheNumberOfParts() {
    List<TrafficRequest> requests = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      String subject = random.nextInt(3) == 0 ? "loud" : "s" + random.nextInt(900);
      requests.add(new TrafficRequest(TrafficScenario.BEGIN_US + i * 5_000L, subject, 1));
    }
    List<String> whole = figuresInParts(requests, 1);
    assertThat(figuresInParts(requests, 7)).isEqualTo(whole);
    assertThat(client.keys("parts-7:*")).isEmpty();
  }

  private static List<String> figuresInParts(List<TrafficRequest> requests, int parts) {
    List<LimitReplay> limits =
        Stream.of("fixed-window:7/1s+40/1m", "leaky-bucket:7/3s,burst=9", "sliding-window:3/10s")
            .map(
                text ->
                    new LimitReplay(
                        LimitCandidate.of(text), "parts-" + parts, "p" + text.length(), null))
            .toList();
    limits.forEach(
        limit ->
            limit.begin(
                TrafficScenario.BEGIN_US,
                SubjectSample.ALL,
                CheckShare.ALL,
                ReplayStats.DEADLINE_US));
    try (TrafficReplay replay = new TrafficReplay(client, 2)) {
      for (SubjectShare part : SubjectShare.parts(parts)) {
        replay.play(
            source(requests.stream().filter(each -> part.has(each.subject())).toList()), limits);
        replay.endPart(limits);
      }
      assertThat(replay.checked()).isEqualTo(replay.decisions()).isEqualTo(3L * requests.size());
    }
    return limits.stream().map(limit -> figures(limit.stats()).toString()).toList();
  }

  private static List<Object> figures(ReplayStats stats) {
    return List.of(
        stats.asked(),
        stats.denied(),
        stats.firstUs(),
        stats.lastUs(),
        stats.peaks().toString(),
        stats.longWaitUs(),
        stats.longDelayUs(),
        stats.shares().mostDenied(20),
        stats.shares().everDenied(),
        Arrays.toString(stats.series().counts(Kind.PASSED)),
        Arrays.toString(stats.series().counts(Kind.DENIED)));
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
        new LimitReplay(LimitCandidate.of("token-bucket:5/1s+2/1m,burst=5"), "tiers", "p", null);
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
    try (TrafficReplay replay = new TrafficReplay(client, 2)) {
      replay.play(source, List.of(limit));
    }
  }

  private static List<LimitReplay> limits(String... texts) {
    List<LimitReplay> limits = new ArrayList<>();
    for (String text : texts) {
      limits.add(new LimitReplay(LimitCandidate.of(text), "random", "p" + limits.size(), null));
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
