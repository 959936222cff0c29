package io.github.penstock.benchmarks.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.report.console.UserErrorException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class CaseGroupTest {
  private static final List<RedisClientType> ALL = Arrays.asList(RedisClientType.values());

  @ParameterizedTest
  @EnumSource(BenchmarkProfile.class)
  @DisplayName("Every case of a profile is in one group, with its floor, and has a name of its own")
  void groups(BenchmarkProfile profile) {
    List<BenchmarkCase> cases = profile.cases(ALL);
    List<CaseGroup> groups = CaseGroup.of(cases);
    assertThat(groups.stream().flatMap(group -> group.cases().stream()))
        .containsExactlyInAnyOrderElementsOf(cases);
    for (CaseGroup group : groups) {
      assertThat(group.cases())
          .as(group.label())
          .extracting(BenchmarkCase::client)
          .containsOnly(group.client());
      List<String> names = group.cases().stream().map(BenchmarkCase::shortName).toList();
      assertThat(names).as(group.label()).doesNotHaveDuplicates();
      if (group.asynchronous()) {
        assertThat(group.names()).contains("RAW_ASYNC/SAME_COMMANDS/ALLOWED/1");
      } else if (group.counted()) {
        assertThat(group.names()).contains("NEAR/BUCKET4J/HOT/1");
      } else {
        assertThat(group.names()).contains("FLOOR/SAME_COMMANDS/ALLOWED/1");
        Duration round = Duration.ofMillis(names.size() * millis(profile.iterationTime(group)));
        assertThat(round).as("states must outlive a round").isLessThan(PenstockAlgorithm.REFILL);
      }
    }
  }

  private static long millis(TimeValue time) {
    return time.convertTo(TimeUnit.MILLISECONDS);
  }

  @Test
  @DisplayName(
      "The full profile has every algorithm, client, workload, number of tiers and of threads")
  void full() {
    List<BenchmarkCase> cases = BenchmarkProfile.FULL.cases(ALL);
    for (int threads : new int[] {8, 64}) {
      assertThat(cases.stream())
          .filteredOn(c -> c.question() == BenchmarkQuestion.ALGORITHM && c.threads() == threads)
          .filteredOn(c -> !c.workload().name().matches("HOT|EXHAUSTED"))
          .hasSize(PenstockAlgorithm.all().size() * ALL.size() * 3 * 2);
    }
  }

  @ParameterizedTest
  @EnumSource(BenchmarkProfile.class)
  @DisplayName("A profile asks every question, and no client has a case that it cannot have")
  void possible(BenchmarkProfile profile) {
    List<BenchmarkCase> cases = profile.cases(ALL);
    assertThat(cases).doesNotHaveDuplicates();
    assertThat(cases).extracting(BenchmarkCase::question).contains(BenchmarkQuestion.values());
    assertThat(cases)
        .filteredOn(each -> each.question() == BenchmarkQuestion.ASYNC)
        .extracting(BenchmarkCase::client)
        .containsOnly(RedisClientType.LETTUCE, RedisClientType.REDISSON, RedisClientType.GLIDE);
    assertThat(cases)
        .filteredOn(each -> each.candidate() == LimiterType.RRATE_LIMITER)
        .extracting(BenchmarkCase::client)
        .containsOnly(RedisClientType.REDISSON);
  }

  @Test
  @DisplayName("JMH's options behind -- win over the profile's, and choose")
  void given() {
    JmhOptions given = JmhOptions.of(List.of("-i", "2", "JEDIS/.*/PEER"));
    assertThat(given.rounds(BenchmarkProfile.QUICK)).isEqualTo(2);
    assertThat(BenchmarkProfile.QUICK.cases(ALL).stream().filter(given::includes))
        .isNotEmpty()
        .allMatch(
            c -> c.question() == BenchmarkQuestion.PEER && c.client() == RedisClientType.JEDIS);
    assertThat(JmhOptions.of(List.of("-f", "3")).forks()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BATCH", "ASYNC", ".*"})
  @DisplayName("Whatever is chosen, JMH runs the one benchmark that interleaves the cases")
  void oneBenchmark(String choice) {
    JmhOptions given = JmhOptions.of(List.of(choice));
    List<BenchmarkCase> chosen =
        BenchmarkProfile.QUICK.cases(ALL).stream().filter(given::includes).toList();
    for (CaseGroup group : CaseGroup.of(chosen)) {
      Options options = given.over(BenchmarkProfile.QUICK, group).build();
      SortedSet<BenchmarkListEntry> found =
          BenchmarkList.defaultList()
              .find(
                  OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                  options.getIncludes(),
                  options.getExcludes());
      assertThat(found)
          .as(group.label())
          .extracting(entry -> entry.getUserClassQName().replaceFirst(".*\\.", ""))
          .containsExactly("InterleavedBenchmark");
    }
  }

  @Test
  @DisplayName("Beside what is chosen is measured what its ratios are to, and nothing else")
  void references() {
    List<BenchmarkCase> all = BenchmarkProfile.QUICK.cases(List.of(RedisClientType.LETTUCE));
    assertThat(JmhOptions.of(List.of("PEER/.*/HOT")).wanted(all))
        .extracting(
            c ->
                c.question() + " " + c.candidate().title() + " " + c.workload() + " " + c.threads())
        .containsExactlyInAnyOrder(
            "PEER Bucket4j HOT 8",
            "PEER Spring Cloud Gateway's script HOT 8",
            "PEER Bucket4j HOT 64",
            "ALGORITHM token-bucket HOT 8",
            "ALGORITHM token-bucket HOT 64",
            "FLOOR empty script ALLOWED 8");
    assertThat(JmhOptions.of(List.of("ALGORITHM/LEAKY_BUCKET")).wanted(all))
        .extracting(c -> c.candidate().title())
        .containsExactlyInAnyOrder(
            "leaky-bucket",
            "PING",
            "empty script",
            "same commands",
            "same commands, denied",
            "token-bucket, sent raw");
    assertThat(JmhOptions.of(List.of("/BATCH/TOKEN_BUCKET")).wanted(all))
        .extracting(c -> c.question() + " " + c.candidate().title())
        .containsExactlyInAnyOrder(
            "ALGORITHM token-bucket",
            "BATCH token-bucket",
            "BATCH same commands",
            "BATCH token-bucket, sent raw");
    assertThat(JmhOptions.of(List.of("JEDIS")).wanted(all)).isEmpty();
    assertThat(JmhOptions.of(List.of()).wanted(all)).isEqualTo(all);
  }

  @Test
  @DisplayName("Where nothing fits, the cases are listed by their names")
  void choices() {
    List<BenchmarkCase> cases = BenchmarkProfile.QUICK.cases(ALL);
    List<String> arguments = List.of("PEER/.*/DENIED");
    assertThatThrownBy(() -> JmhOptions.of(arguments).checkThatSomeAreIn(cases, arguments))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContainingAll("matches PEER/.*/DENIED", "\n  LETTUCE/64/PEER/BUCKET4J/HOT/1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-t 4",
        "-bm avgt",
        "-h",
        "-l",
        "-bogus 3",
        "*",
        "-p client=JEDIS",
        "-p=client=JEDIS",
        "-pclient=JEDIS"
      })
  @DisplayName("What a bench cannot take from JMH's options is one sentence")
  void notTaken(String options) {
    assertThatThrownBy(() -> JmhOptions.of(List.of(options.split(" "))))
        .isInstanceOf(UserErrorException.class);
  }

  @Test
  @DisplayName("A profiler is no parameter")
  void profiler() {
    assertThat(JmhOptions.of(List.of("-prof", "gc")).profiles()).isTrue();
  }
}
