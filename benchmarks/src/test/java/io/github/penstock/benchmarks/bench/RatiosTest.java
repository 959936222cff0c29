package io.github.penstock.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Callee;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Workload;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RatiosTest {
  private final Results results = new Results();
  private final Ratios ratios = new Ratios(results);

  @Test
  @DisplayName(
      "A ratio is the median of the rounds': a machine that was slow for a round changes nothing")
  void byRound() {
    Measured ours = bucket(Workload.ALLOWED, List.of(95.0, 30.0, 190.0));
    results.put(floor(Floor.SAME_COMMANDS, List.of(100.0, 100.0, 200.0)));
    assertThat(ratios.toSameCommands(ours)).contains(0.95);
  }

  @Test
  @DisplayName("The floor of a denied call is that of a denied call, and without one there is none")
  void denied() {
    Measured denied = bucket(Workload.EXHAUSTED, List.of(50.0));
    results.put(floor(Floor.SAME_COMMANDS, List.of(100.0)));
    assertThat(ratios.toSameCommands(denied)).isEmpty();
    results.put(floor(Floor.SAME_COMMANDS_DENIED, List.of(40.0)));
    assertThat(ratios.toSameCommands(denied)).contains(1.25);
  }

  @Test
  @DisplayName("The floor of a batch is a raw batch")
  void batch() {
    Measured batch = batch(Callee.PENSTOCK, 90);
    results.put(floor(Floor.SAME_COMMANDS, List.of(10.0)));
    results.put(batch(Callee.SAME_COMMANDS, 100));
    results.put(floor(Floor.TOKEN_BUCKET, List.of(20.0)));
    results.put(batch(Callee.TOKEN_BUCKET_RAW, 60));
    assertThat(ratios.toSameCommands(batch)).contains(0.9);
    assertThat(ratios.toOwnScript(batch)).contains(1.5);
  }

  @Test
  @DisplayName("A case that is told of again replaces what was known of it")
  void again() {
    results.put(bucket(Workload.ALLOWED, List.of(1.0)));
    results.put(bucket(Workload.DENIED, List.of(2.0)));
    results.put(bucket(Workload.ALLOWED, List.of(3.0)));
    assertThat(results.clients()).extracting(Measured::perSecond).containsExactly(3.0, 2.0);
  }

  @Test
  @DisplayName("The median of none is no number, of two it lies between")
  void median() {
    assertThat(Ratios.median(List.of())).isNaN();
    assertThat(Ratios.median(List.of(1.0, 2.0))).isEqualTo(1.5);
    assertThat(Ratios.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
  }

  private static Measured bucket(Workload workload, List<Double> turns) {
    return measured(Case.algorithm(Client.JEDIS, Algorithm.TOKEN_BUCKET, workload, 1, 8), turns);
  }

  private static Measured floor(Floor floor, List<Double> turns) {
    return measured(Case.floor(Client.JEDIS, floor, 8), turns);
  }

  private static Measured batch(Callee callee, double perSecond) {
    return measured(
        Case.batch(Client.JEDIS, Algorithm.TOKEN_BUCKET, callee, 8), List.of(perSecond));
  }

  private static Measured measured(Case what, List<Double> turns) {
    return Measured.of(what, false, turns, 1, 1, 1, 1);
  }
}
