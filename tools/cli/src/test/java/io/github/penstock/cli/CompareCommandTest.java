package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  private static final int DENIED = 5;
  @TempDir static Path directory;
  private static CommandRun ran;

  @BeforeAll
  static void compare() {
    ran = CommandRun.penstock("compare", "--report", directory.toString());
  }

  @Test
  void endsWell() {
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
  }

  @Test
  void fitsATerminalOf100Columns() {
    assertThat(ran.out().lines())
        .allMatch(line -> line.length() <= 100 || line.startsWith("Report:"));
  }

  /** Where continuous integration has a browser check the page. */
  @Test
  void limitsOfFourTiersFitTheTerminal() {
    CommandRun four =
        CommandRun.penstock(
            ("compare --scenario edge,neighbour --out target/tiers"
                    + " --limit token-bucket:10/1s,burst=15+100/1m,burst=120+1000/1h,burst=1200+9/1d"
                    + " --limit fixed-window:10/1s+100/1m+1000/1h+100000000/1d"
                    + " --limit sliding-window:1000000000000/366d")
                .split(" "));
    assertThat(four.exitCode()).as(four.err()).isZero();
    assertThat(four.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void namesOfFilesReachTheTerminalEscaped() {
    Path red = directory.resolve("\u001b[31m");
    CommandRun escaped =
        CommandRun.penstock("compare", "--scenario", "burst", "--out", red.toString());
    assertThat(escaped.exitCode()).as(escaped.err()).isZero();
    assertThat(escaped.out()).doesNotContain("\u001b").contains("\\u001b[31m");
  }

  @Test
  void whatPassesAroundAWindowsEdge() {
    for (String name : List.of("fixed-window", "interval-bucket")) {
      assertThat(row(0, name)).startsWith("0 %", "0 of 1", "1,980 in 3 s", "2,000");
    }
    assertThat(row(0, "sliding-window")).startsWith("28 %", "1 of 1", "1,412 in 3 s", "2,000");
    assertThat(most(row(0, "token-bucket"))).isBetween(1_500L, 2_000L);
  }

  @Test
  void thePageOnAlgorithmsSaysTheNumbersThatArePlayed() throws IOException {
    String text = Files.readString(Path.of("../../docs/algorithms.md"));
    for (LimitKind kind : LimitKind.values()) {
      String name = kind.script().scriptName();
      assertThat(text).contains(name + " " + row(0, name).get(2).replace(" in 3 s", ""));
    }
  }

  @Test
  void aLeakyBucketNeverPassesMoreThanTheLimit() {
    for (int scenario = 0; scenario < 2; scenario++) {
      assertThat(most(row(scenario, "leaky-bucket"))).isLessThanOrEqualTo(1_001);
    }
  }

  @Test
  void bothBucketsDenyTheSame() {
    for (int scenario = 0; scenario < 2; scenario++) {
      List<String> token = row(scenario, "token-bucket");
      List<String> leaky = row(scenario, "leaky-bucket");
      assertThat(leaky.get(0)).isEqualTo(token.get(0));
      assertThat(leaky.get(DENIED)).isEqualTo(token.get(DENIED)).matches("[\\d,]+");
    }
  }

  @Test
  void aServerThatWasGivenIsLeftAsItWas() {
    try (TestServer server = new EmbeddedServer().start();
        RespConnection connection = server.connect()) {
      connection.call("SET", "penstock-mine", "untouched");
      CommandRun given =
          CommandRun.penstock(
              "compare",
              "--scenario",
              "edge",
              "--redis",
              server.url().toString(),
              "--report",
              directory.toString());
      assertThat(given.exitCode()).as(given.err()).isZero();
      assertThat(connection.call("DBSIZE")).isEqualTo(1L);
      assertThat(connection.call("GET", "penstock-mine")).isEqualTo("untouched");
      assertThat(given.out()).contains(server.url().host() + ":" + server.url().port());
    }
  }

  /** The cells after the name, in the n-th table that has the name. */
  private static List<String> row(int scenario, String name) {
    String line =
        ran.out()
            .lines()
            .filter(candidate -> candidate.matches(" +" + name + " +\\d\\S* %.*"))
            .skip(scenario)
            .findFirst()
            .orElseThrow();
    return List.of(line.strip().substring(name.length()).strip().split("  +"));
  }

  private static long most(List<String> row) {
    return Long.parseLong(row.get(2).replaceAll(" .*|,", ""));
  }
}
