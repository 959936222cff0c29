package io.github.penstock.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.plan.ServerCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BenchmarkResultsTest {
  private final BenchmarkResults results = new BenchmarkResults();

  @Test
  @DisplayName(
      "A ratio is the median of the rounds': a machine that was slow for a round changes nothing")
  void byRound() {
    MeasuredCase ours = bucket(SubjectWorkload.ALLOWED, List.of(95.0, 30.0, 190.0));
    results.put(floor(FloorCall.SAME_COMMANDS, List.of(100.0, 100.0, 200.0)));
    assertThat(results.toSameCommands(ours)).contains(new RoundRatio(0.95, 0.3, 0.95));
  }

  @Test
  @DisplayName("The floor of a denied call is that of a denied call, and without one there is none")
  void denied() {
    MeasuredCase denied = bucket(SubjectWorkload.EXHAUSTED, List.of(50.0));
    results.put(floor(FloorCall.SAME_COMMANDS, List.of(100.0)));
    assertThat(results.toSameCommands(denied)).isEmpty();
    results.put(floor(FloorCall.SAME_COMMANDS_DENIED, List.of(40.0)));
    assertThat(results.toSameCommands(denied)).contains(new RoundRatio(1.25, 1.25, 1.25));
  }

  @Test
  @DisplayName("The floor of a batch is a raw batch")
  void batch() {
    MeasuredCase batch = batch(PenstockAlgorithm.TOKEN_BUCKET, 90);
    results.put(floor(FloorCall.SAME_COMMANDS, List.of(10.0)));
    results.put(batch(FloorCall.SAME_COMMANDS, 100));
    results.put(floor(FloorCall.TOKEN_BUCKET, List.of(20.0)));
    results.put(batch(FloorCall.TOKEN_BUCKET, 60));
    assertThat(results.toSameCommands(batch).map(RoundRatio::value)).contains(0.9);
    assertThat(results.toOwnScript(batch).map(RoundRatio::value)).contains(1.5);
  }

  @Test
  @DisplayName("A case that is reported again replaces what was known of it")
  void again() {
    results.put(bucket(SubjectWorkload.ALLOWED, List.of(1.0)));
    results.put(bucket(SubjectWorkload.DENIED, List.of(2.0)));
    results.put(bucket(SubjectWorkload.ALLOWED, List.of(3.0)));
    assertThat(results.clients()).extracting(MeasuredCase::perSecond).containsExactly(3.0, 2.0);
  }

  @Test
  @DisplayName("The median of none is no number, of two it lies between")
  void median() {
    assertThat(RoundRatio.median(List.of())).isNaN();
    assertThat(RoundRatio.median(List.of(1.0, 2.0))).isEqualTo(1.5);
    assertThat(RoundRatio.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
  }

  @Test
  @DisplayName("Half of the rounds lie between the bounds of a ratio, and the ratio, too")
  void spread() {
    List<Double> ones = List.of(1.0, 1.0, 1.0, 1.0, 1.0);
    List<Double> iterations = List.of(9.0, 1.0, 2.0, 3.0, 4.0);
    assertThat(RoundRatio.ofMedian(iterations, ones)).isEqualTo(new RoundRatio(3, 2, 4));
  }

  @Test
  @DisplayName("bench.json keeps the fields of its format")
  void json() {
    BenchmarkCase bucket = BenchmarkCase.bucket(RedisClientType.JEDIS, SubjectWorkload.ALLOWED, 8);
    results.put(MeasuredCase.failed(bucket, "it broke"));
    results.scripts().add(new ScriptCost(ScriptCase.floor(FloorCall.EMPTY_SCRIPT), 1));
    results.reservations().put(ReservationCase.THREE_NATIVE, 12.5);
    ServerCase hot =
        new ServerCase(LimiterType.BUCKET4J, RedisClientType.REDISSON, SubjectWorkload.HOT);
    results.server().add(ServerUse.failed(hot, "it broke"));
    assertThat(String.join("\n", lines(BenchmarkTables.json(results))))
        .isEqualTo(
            """
            scripts {what=empty script, form=, tiers=1, allowed=true, micros=1.0}
            reservations {what=three charges by three scripts, scripts=3, keys=3, micros=12.5}
            server {what=Bucket4j, client=Redisson, workload=HOT, commandMicros=0.0, processMicros=0.0, \
            commands=0.0, bytesIn=0.0, bytesOut=0.0, bytesPerKey=-1.0, \
            bytesPerKeyLater=-1.0, problem=it broke}
            clients {question=ALGORITHM, client=Jedis, what=token-bucket, workload=ALLOWED, tiers=1, threads=8, \
            perSecond=0.0, tripsPerCall=-1.0, p50Micros=0.0, p99Micros=0.0, p999Micros=0.0, \
            bytesPerCall=0.0, iterations=[], problem=it broke}\
            """);
  }

  private static List<String> lines(Map<String, Object> json) {
    List<String> lines = new ArrayList<>();
    json.forEach((name, list) -> lines.add(name + " " + ((List<?>) list).get(0)));
    return lines;
  }

  private static MeasuredCase bucket(SubjectWorkload workload, List<Double> iterations) {
    return measured(BenchmarkCase.bucket(RedisClientType.JEDIS, workload, 8), iterations);
  }

  private static MeasuredCase floor(FloorCall floor, List<Double> iterations) {
    return measured(BenchmarkCase.floor(RedisClientType.JEDIS, floor, 8), iterations);
  }

  private static MeasuredCase batch(BenchmarkCandidate candidate, double perSecond) {
    return measured(BenchmarkCase.batch(RedisClientType.JEDIS, candidate, 8), List.of(perSecond));
  }

  private static MeasuredCase measured(BenchmarkCase what, List<Double> iterations) {
    return new MeasuredCase(what, iterations, 1, 1, 1, 1, -1, null);
  }
}
