package io.github.penstock.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The near layer of three processes on a network with random trips and clocks that drift, beside
 * the exact model. The seeds are the same in every run.
 */
class NearSimulationTest {
  private static final int RUNS = 60;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration WINDOW = Duration.ofMillis(300);
  private static final Limit BUCKET = TokenBucket.of(20).refill(40, SECOND);
  private static final List<Limit> FIXED = List.of(FixedWindow.of(10, WINDOW));
  private static final List<Limit> SLIDING = List.of(SlidingWindow.of(10, WINDOW));

  static Stream<Arguments> limits() {
    return Stream.of(
            List.of(BUCKET),
            List.of(BUCKET.and(TokenBucket.of(30).refill(20, SECOND))),
            List.of(LeakyBucket.of(20).leak(40, SECOND)),
            List.of(IntervalBucket.of(20).refill(3, Duration.ofMillis(60))),
            FIXED,
            List.of(FixedWindow.of(10, WINDOW).and(FixedWindow.of(15, SECOND))),
            SLIDING,
            List.of(FixedWindow.of(20, WINDOW), FixedWindow.of(10, WINDOW)))
        .map(Arguments::of);
  }

  static Stream<Arguments> leases() {
    Duration half = Duration.ofMillis(500);
    return Stream.of(
        Arguments.of(
            NearTraffic.of(List.of(TokenBucket.of(400).refill(200, SECOND))).leasing(50, half)),
        Arguments.of(NearTraffic.of(List.of(FixedWindow.of(300, WINDOW))).leasing(30, half)),
        Arguments.of(NearTraffic.of(List.of(SlidingWindow.of(300, WINDOW))).leasing(30, half)));
  }

  @ParameterizedTest
  @MethodSource("limits")
  @DisplayName("N2 N3 N4 what is remembered, the server would have said, within the proviso")
  void denials(List<Limit> limits) {
    NearTraffic traffic = NearTraffic.of(limits);
    List<NearWitness> witnesses = witnesses(traffic, NearMistake.NONE);
    assertThat(broken(witnesses)).isEmpty();
    assertThat(witnesses.stream().mapToInt(NearWitness::remembered).sum()).isGreaterThan(RUNS);
  }

  @ParameterizedTest
  @MethodSource("limits")
  @DisplayName(
      "N3 N5 whatever happens there, nothing is remembered for longer, nor over a refund of one's own")
  void surprises(List<Limit> limits) {
    NearTraffic traffic = NearTraffic.of(limits).drifting(50_000).surprised(10);
    assertThat(broken(traffic, NearMistake.NONE)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("leases")
  @DisplayName("L1 L2 L3 L8 leases admit what they may, with lost answers, within the proviso")
  void leasing(NearTraffic traffic) {
    List<NearWitness> witnesses = witnesses(traffic, NearMistake.NONE);
    assertThat(broken(witnesses)).isEmpty();
    assertThat(witnesses.stream().mapToLong(NearWitness::leased).sum()).isGreaterThan(RUNS * 50);
  }

  @ParameterizedTest
  @MethodSource("leases")
  @DisplayName("L1 L6 L8 leases hand out what was charged, whatever happens")
  void leasingWithSurprises(NearTraffic traffic) {
    NearTraffic wild = traffic.surprised(10);
    assertThat(broken(wild, NearMistake.NONE)).allMatch(rule -> rule.startsWith("L2 units die"));
  }

  @Test
  @DisplayName("planted mistakes are found by the rule that names them")
  void mistakes() {
    NearTraffic bucket = NearTraffic.of(List.of(BUCKET));
    assertThat(broken(bucket, NearMistake.ANSWER_FOR_SENT)).anyMatch(rule -> rule.startsWith("N2"));
    assertThat(broken(bucket, NearMistake.SENT_FOR_ANSWER)).anyMatch(rule -> rule.startsWith("N4"));
    NearTraffic raised =
        NearTraffic.of(List.of(FixedWindow.of(20, WINDOW), FixedWindow.of(10, WINDOW)));
    assertThat(broken(raised, NearMistake.LIMIT_LEFT_OUT)).anyMatch(rule -> rule.startsWith("N2"));
    Duration half = Duration.ofMillis(500);
    List<Limit> edges = List.of(FixedWindow.of(100, Duration.ofMillis(50)));
    NearTraffic windows = NearTraffic.of(edges).leasing(30, half);
    assertThat(broken(windows, NearMistake.LEASE_RETURNED))
        .contains("L2 no window admits more than its limit");
    assertThat(broken(windows, NearMistake.LEASED_UNASKED)).anyMatch(rule -> rule.startsWith("L1"));
    NearTraffic sliding = NearTraffic.of(List.of(SlidingWindow.of(300, WINDOW))).leasing(30, half);
    assertThat(broken(sliding, NearMistake.LIVES_FOR_RESET))
        .anyMatch(rule -> rule.startsWith("L2"));
  }

  private static List<String> broken(NearTraffic traffic, NearMistake mistake) {
    return broken(witnesses(traffic, mistake));
  }

  private static List<String> broken(List<NearWitness> witnesses) {
    return witnesses.stream().flatMap(witness -> witness.broken().stream()).distinct().toList();
  }

  private static List<NearWitness> witnesses(NearTraffic traffic, NearMistake mistake) {
    return LongStream.range(0, RUNS)
        .mapToObj(seed -> NearSimulation.of(traffic, mistake, seed))
        .toList();
  }
}
