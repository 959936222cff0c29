package io.github.penstock.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.stats.PeakUsage;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that lease, on the exact model alone: what they admit, and what they may. */
class LeasingReplayTest {
  private static final long BEGIN_US = TrafficScenario.BEGIN_US;
  private static final int REQUESTS = 400;

  /* A request with two answers: by asking each time, and by leases. A window that is open ends at windowEndUs, else 0. */
  private record Told(TrafficRequest request, boolean asking, Decision told, long windowEndUs) {}

  private final List<Told> played = new ArrayList<>();

  @Test
  void aTraceWorkedOutByHand() {
    // Ten ms apart. Calls 0 and 1 ask for themselves. Calls 2, 4, 8, 16 take as many as were taken
    // before, at most ten and an eighth of what remains: 2, 4, 78/8 = 8, 64/8 = 8 units. Of the
    // last parcel three are never used, so the window has 24 of its 80 charged and not 21.
    List<TrafficRequest> requests = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      requests.add(request(i * 10_000L, 1));
    }
    // 21 + 57 fits and 24 + 57 does not; then 24 + 20 fits and 78 + 20 does not.
    requests.add(request(5_000_000, 57));
    requests.add(request(5_010_000, 20));
    // 60 is more than the 57 that were denied 20 ms ago, so no trip is needed to deny it.
    requests.add(request(5_020_000, 60));
    LeaseStats stats = play("fixed-window:80/10s", 1, "10,1s", requests).leasing();

    assertThat(sources()).isEqualTo("ss" + "sl" + "slll" + "slllllll" + "sllll" + "s" + "s" + "r");
    assertThat(stats.requests(DecisionSource.SERVER)).isEqualTo(8);
    assertThat(stats.requests(DecisionSource.LEASED)).isEqualTo(15);
    assertThat(stats.requests(DecisionSource.REMEMBERED)).isEqualTo(1);
    assertThat(stats.unitsLeased()).isEqualTo(1 + 3 + 7 + 7);
    assertThat(stats.unitsUnused()).isEqualTo(3);
    assertThat(stats.deniedWrongly()).isEqualTo(1);
    assertThat(stats.admittedMore()).isEqualTo(1);
    assertThat(stats.stats().admitted()).isEqualTo(22);
    assertThat(stats.stats().denied()).isEqualTo(2);
    assertThat(stats.stats().peaks().get(0).most()).isEqualTo(41);
  }

  @Test
  void leasedUnitsDieInTheTrafficsTime() {
    // Call 2, at 2 µs, takes two units; the second of them is for the next 0.999 s.
    String limit = "token-bucket:80/10s";
    List<TrafficRequest> three = List.of(request(0, 1), request(1, 1), request(2, 1));
    play(limit, 1, "10,1s", and(three, request(999_001, 1)));
    assertThat(sources()).isEqualTo("sssl");
    play(limit, 1, "10,1s", and(three, request(999_002, 1)));
    assertThat(sources()).isEqualTo("ssss");
  }

  private static List<TrafficRequest> and(List<TrafficRequest> some, TrafficRequest last) {
    return Stream.concat(some.stream(), Stream.of(last)).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "leaky-bucket:40/1s",
        "interval-bucket:40/1s",
        "token-bucket:40/1s+60/2s",
        "fixed-window:40/1s+60/2s"
      })
  @DisplayName("L7 limits that have no leases decide as asking does")
  void limitsWithoutLeases(String limit) {
    for (int seed = 0; seed < 20; seed++) {
      LimitResult result = play(limit, 3, "10,1s", traffic(seed, 3));
      assertThat(result.leasing().leases()).isFalse();
      assertSameAsAsking(result);
      assertThat(result.leasing().requests(DecisionSource.REMEMBERED)).isPositive();
    }
  }

  static Stream<String> leasable() {
    return Stream.of(LimitKind.values())
        .filter(LimitKind::leasable)
        .map(kind -> kind.script().scriptName() + ":60/1s");
  }

  @ParameterizedTest
  @MethodSource("leasable")
  @DisplayName("L7 costs above the lease decide as asking does")
  void costsAboveTheLease(String limit) {
    for (int seed = 0; seed < 20; seed++) {
      List<TrafficRequest> dear =
          traffic(seed, 3).stream()
              .map(each -> new TrafficRequest(each.timeUs(), "s", each.cost() + 2))
              .toList();
      LimitResult result = play(limit, 3, "2,1s", dear);
      assertThat(result.leasing().leases()).isTrue();
      assertSameAsAsking(result);
    }
  }

  private void assertSameAsAsking(LimitResult result) {
    LeaseStats leasing = result.leasing();
    assertThat(played).allMatch(each -> each.told.allowed() == each.asking);
    assertThat(leasing.requests(DecisionSource.LEASED)).isZero();
    assertThat(leasing.deniedWrongly() + leasing.admittedMore()).isZero();
    assertThat(leasing.unitsLeased()).isZero();
    assertThat(leasing.stats().peaks()).isEqualTo(result.stats().peaks());
    assertThat(result.stats().denied()).isPositive();
  }

  @Property(tries = 150)
  void windowsAdmitNoMoreThanTheirLimit(
      @ForAll int seed,
      @ForAll boolean slides,
      @ForAll @IntRange(min = 20, max = 400) int limit,
      @ForAll @IntRange(min = 50, max = 2_000) int windowMs,
      @ForAll @IntRange(min = 1, max = 5) int processes,
      @ForAll @IntRange(min = 3, max = 50) int most,
      @ForAll @IntRange(min = 20, max = 3_000) int atMostMs) {
    String name = (slides ? "sliding" : "fixed") + "-window:" + limit + "/" + windowMs + "ms";
    LimitResult result = play(name, processes, most + "," + atMostMs + "ms", traffic(seed, 3));
    Map<Long, Long> admitted = new HashMap<>();
    for (Told each : played) {
      if (each.told.allowed()) {
        assertThat(each.windowEndUs).as("an open window").isGreaterThan(each.request.timeUs());
        admitted.merge(each.windowEndUs, each.request.cost(), Long::sum);
      }
    }
    assertThat(admitted.values()).allMatch(units -> units <= limit);
    assertCounts(result);
  }

  @Property(tries = 150)
  void tokenBucketsAdmitNoMoreThanTheirBound(
      @ForAll int seed,
      @ForAll @IntRange(min = 20, max = 400) int capacity,
      @ForAll @IntRange(min = 10, max = 2_000) int perSecond,
      @ForAll @IntRange(min = 1, max = 5) int processes,
      @ForAll @IntRange(min = 3, max = 50) int most,
      @ForAll @IntRange(min = 20, max = 3_000) int atMostMs) {
    String name = "token-bucket:" + perSecond + "/1s,burst=" + capacity;
    LimitResult result = play(name, processes, most + "," + atMostMs + "ms", traffic(seed, 3));
    List<Told> admitted = played.stream().filter(each -> each.told.allowed()).toList();
    for (int from = 0; from < admitted.size(); from++) {
      long units = 0;
      for (int to = from; to < admitted.size(); to++) {
        units += admitted.get(to).request.cost();
        long us = admitted.get(to).request.timeUs() - admitted.get(from).request.timeUs();
        long refilled = perSecond * (us + atMostMs * 1_000L);
        assertThat((units - capacity) * 1_000_000).isLessThanOrEqualTo(refilled);
      }
    }
    assertCounts(result);
  }

  /* The figures are those of what was told, and the most is within what is said that it can be. */
  private void assertCounts(LimitResult result) {
    LeaseStats leasing = result.leasing();
    long allowed = played.stream().filter(each -> each.told.allowed()).count();
    long asking = played.stream().filter(each -> each.asking).count();
    assertThat(leasing.stats().admitted()).isEqualTo(allowed);
    assertThat(asking - leasing.deniedWrongly() + leasing.admittedMore()).isEqualTo(allowed);
    for (DecisionSource source : DecisionSource.values()) {
      assertThat(leasing.requests(source))
          .isEqualTo(played.stream().filter(each -> each.told.source() == source).count());
    }
    long handedOut =
        played.stream()
            .filter(each -> each.told.source() == DecisionSource.LEASED)
            .mapToLong(each -> each.request.cost())
            .sum();
    assertThat(leasing.unitsLeased() - leasing.unitsUnused()).isEqualTo(handedOut);
    PeakUsage peak = leasing.stats().peaks().get(0);
    assertThat(peak.most()).isBetween(1L, result.atMostLeasing(leasing, peak));
  }

  @Test
  void whatATokenBucketCanPassHasTheLifeOfALeaseOnTop() {
    assertThat(atMost("token-bucket:10/3s,burst=5", 500_000)).isEqualTo(5 + 10 + 1);
    assertThat(atMost("token-bucket:10/3s,burst=5", 600_000)).isEqualTo(5 + 10 + 2);
    assertThat(atMost("fixed-window:10/3s", 600_000)).isEqualTo(20);
    assertThat(atMost("token-bucket:1000000000/1us,burst=1", 3_600_000_000L))
        .isEqualTo(
            BigInteger.TEN.pow(9).multiply(BigInteger.valueOf(3_600_000_001L)).longValue() + 1);
  }

  private static long atMost(String limit, long atMostUs) {
    LimitCandidate candidate = LimitCandidate.of(limit);
    LimitTier tier = candidate.limit().tiers().get(0);
    return candidate.atMostLeasing(tier, atMostUs);
  }

  private LimitResult play(
      String limit, int processes, String terms, List<TrafficRequest> requests) {
    played.clear();
    LeaseSettings settings = new LeaseSettings(processes, LeaseSettings.terms(terms));
    LimitReplay asking = new LimitReplay(LimitCandidate.of(limit), "simulated", "p", settings);
    LeasingReplay leasing = asking.leasing();
    for (TrafficRequest request : requests) {
      SubjectState state = asking.live(request.subject());
      ModelReply outcome = asking.model(request, 1, state);
      asking.count(request, state, outcome.allowed(), outcome.waitUs());
      LimitReplay server = leasing.server();
      SubjectState there = server.live(request.subject());
      Decision told =
          leasing.decide(request, outcome.allowed(), calls -> server.model(request, calls, there));
      server.count(request, there, told.allowed(), told.waitMicros());
      played.add(new Told(request, outcome.allowed(), told, windowEndUs(there)));
    }
    return new LimitResult(asking.candidate(), asking.stats(), leasing.stats());
  }

  private static long windowEndUs(SubjectState state) {
    return state.stored[0];
  }

  /* Who answered, a letter each. */
  private String sources() {
    StringBuilder letters = new StringBuilder();
    played.forEach(
        each -> letters.append(Character.toLowerCase(each.told.source().name().charAt(0))));
    return letters.toString();
  }

  /* Dense for a while, then a pause, and again. */
  private static List<TrafficRequest> traffic(int seed, int mostCost) {
    SplittableRandom random = new SplittableRandom(seed);
    List<TrafficRequest> requests = new ArrayList<>();
    long afterUs = 0;
    for (int i = 0; i < REQUESTS; i++) {
      boolean pause = random.nextInt(50) == 0;
      afterUs += random.nextLong(10_000) * (pause ? 100 : 1);
      requests.add(request(afterUs, 1 + random.nextInt(mostCost)));
    }
    return requests;
  }

  private static TrafficRequest request(long afterUs, long cost) {
    return new TrafficRequest(BEGIN_US + afterUs, "s", cost);
  }
}
