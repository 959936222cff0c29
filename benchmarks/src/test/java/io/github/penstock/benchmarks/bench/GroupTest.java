package io.github.penstock.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Turn;
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

class GroupTest {
  private static final List<Client> ALL = Arrays.asList(Client.values());

  @ParameterizedTest
  @EnumSource(Profile.class)
  @DisplayName("Every case of a profile is in one group, with its floor, and has a turn of its own")
  void groups(Profile profile) {
    List<Case> cases = profile.cases(ALL);
    List<Group> groups = Group.of(cases);
    assertThat(groups.stream().flatMap(group -> group.cases().stream()))
        .containsExactlyInAnyOrderElementsOf(cases);
    for (Group group : groups) {
      assertThat(group.cases())
          .as(group.label())
          .extracting(Case::client)
          .containsOnly(group.client());
      if (!group.asynchronous()) {
        List<Turn> turns = group.cases().stream().map(Case::turn).toList();
        assertThat(turns).as(group.label()).doesNotHaveDuplicates();
        assertThat(group.turns()).contains("FLOOR/SAME_COMMANDS/ALLOWED/1");
        Duration round = Duration.ofMillis(turns.size() * millis(profile.turn(group)));
        assertThat(round).as("states must outlive a round").isLessThan(Algorithm.REFILL);
      }
    }
  }

  private static long millis(TimeValue time) {
    return time.convertTo(TimeUnit.MILLISECONDS);
  }

  @Test
  @DisplayName("The quick profile's turns take less than four minutes")
  void quick() {
    GivenOptions none = GivenOptions.of(List.of());
    double seconds =
        Group.of(Profile.QUICK.cases(ALL)).stream()
            .mapToDouble(group -> none.seconds(Profile.QUICK, group))
            .sum();
    assertThat(seconds).isBetween(60.0, 240.0);
  }

  @Test
  @DisplayName(
      "The full profile has every algorithm, client, workload, number of tiers and of threads")
  void full() {
    List<Case> cases = Profile.FULL.cases(ALL);
    for (int threads : new int[] {1, 8, 64}) {
      assertThat(cases.stream())
          .filteredOn(c -> c.question() == Question.ALGORITHM && c.threads() == threads)
          .filteredOn(c -> !c.workload().name().matches("HOT|EXHAUSTED"))
          .hasSize(3 * 3 * 3 * 2);
    }
  }

  @Test
  @DisplayName("JMH's options behind -- win over the profile's, and choose")
  void given() {
    GivenOptions given =
        GivenOptions.of(List.of("-i", "2", "-p", "client=JEDIS", "PeersBenchmark"));
    assertThat(given.allRounds(Profile.QUICK)).isEqualTo(2);
    assertThat(Profile.QUICK.cases(ALL).stream().filter(given::includes))
        .isNotEmpty()
        .allMatch(c -> c.question() == Question.PEER && c.client() == Client.JEDIS);
    assertThat(GivenOptions.of(List.of("-f", "3")).allRounds(Profile.QUICK))
        .isEqualTo(3 * Profile.QUICK.turns());
  }

  @ParameterizedTest
  @ValueSource(strings = {"BatchBenchmark", "AsyncBenchmark", ".*Benchmark"})
  @DisplayName("Whatever is chosen, JMH runs the one benchmark in which the cases take turns")
  void oneBenchmark(String choice) {
    GivenOptions given = GivenOptions.of(List.of(choice));
    List<Case> chosen = Profile.QUICK.cases(ALL).stream().filter(given::includes).toList();
    for (Group group : Group.of(chosen)) {
      Options options = given.over(Profile.QUICK, group).build();
      SortedSet<BenchmarkListEntry> found =
          BenchmarkList.defaultList()
              .find(
                  OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                  options.getIncludes(),
                  options.getExcludes());
      assertThat(found)
          .as(group.label())
          .extracting(BenchmarkListEntry::getUserClassQName)
          .containsExactly(group.benchmark().getName());
    }
  }

  @Test
  @DisplayName("Beside what is chosen is measured what its ratios are to, and nothing else")
  void references() {
    List<Case> all = Profile.QUICK.cases(List.of(Client.LETTUCE));
    assertThat(GivenOptions.of(List.of("PeersBenchmark", "-p", "workload=HOT")).wanted(all))
        .extracting(c -> c.question() + " " + c.what() + " " + c.workload() + " " + c.threads())
        .containsExactlyInAnyOrder(
            "PEER Bucket4j HOT 8",
            "PEER Spring Cloud Gateway's script HOT 8",
            "PEER Bucket4j HOT 64",
            "ALGORITHM token-bucket HOT 8",
            "ALGORITHM token-bucket HOT 64",
            "FLOOR empty script ALLOWED 8");
    assertThat(
            GivenOptions.of(List.of("AlgorithmsBenchmark", "-p", "algorithm=LEAKY_BUCKET"))
                .wanted(all))
        .extracting(Case::what)
        .containsExactlyInAnyOrder(
            "leaky-bucket",
            "PING",
            "empty script",
            "same commands",
            "same commands, denied",
            "token-bucket, sent raw");
    assertThat(GivenOptions.of(List.of("BatchBenchmark", "-p", "callee=PENSTOCK")).wanted(all))
        .extracting(c -> c.question() + " " + c.what())
        .containsExactlyInAnyOrder(
            "ALGORITHM token-bucket",
            "BATCH token-bucket",
            "BATCH same commands",
            "BATCH token-bucket, sent raw");
    assertThat(GivenOptions.of(List.of("-p", "client=JEDIS")).wanted(all)).isEmpty();
    assertThat(GivenOptions.of(List.of()).wanted(all)).isEqualTo(all);
  }

  @Test
  @DisplayName("Where nothing fits, the parameters are listed with their values")
  void choices() {
    List<Case> cases = Profile.QUICK.cases(ALL);
    List<String> arguments = List.of("PeersBenchmark", "-p", "workload=DENIED");
    assertThatThrownBy(() -> GivenOptions.of(arguments).checkThatSomeAreIn(cases, arguments))
        .isInstanceOf(Complaint.class)
        .hasMessageContainingAll("PeersBenchmark\n", "-p workload=ALLOWED,EXHAUSTED,HOT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-t 4", "-bm avgt", "-h", "-l", "-bogus 3", "*"})
  @DisplayName("What a bench cannot take from JMH's options is one sentence")
  void notTaken(String options) {
    assertThatThrownBy(() -> GivenOptions.of(List.of(options.split(" "))))
        .isInstanceOf(Complaint.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"AlgorithmsBenchmark -p clent=JEDIS", "-pclent=JEDIS", "-p=clent=JEDIS"})
  void aParameterThatNoBenchmarkHasIsNamed(String words) {
    List<String> arguments = List.of(words.split(" "));
    List<Case> cases = Profile.QUICK.cases(List.of(Client.JEDIS));
    assertThatThrownBy(() -> GivenOptions.of(arguments).checkThatSomeAreIn(cases, arguments))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("-p clent is no parameter of a benchmark")
        .hasMessageContaining("client");
  }
}
