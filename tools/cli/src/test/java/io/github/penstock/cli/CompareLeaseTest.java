package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.limit.LimitKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output and the files of {@code compare --lease}. */
class CompareLeaseTest {
  /** Where continuous integration has a browser check the page. */
  private static final Path REPORT = Path.of("target", "report");

  private static CommandRun ran;
  private static JsonArray limits;
  @TempDir Path directory;

  @BeforeAll
  static void compare() throws IOException {
    ran = run("--scenario", "busy", "--lease", "100,500ms", "--report", REPORT.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    String json = Files.readString(REPORT.resolve("compare.json"));
    JsonArray measured = JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("measured");
    limits = measured.get(0).getAsJsonObject().getAsJsonArray("limits");
  }

  @Test
  void eachLimitHasALineAndTheManualShowsThem() throws IOException {
    List<String> lines = lines(ran);
    assertThat(lines).hasSize(2 + LimitKind.values().length);
    assertThat(String.join("\n", lines.subList(2, lines.size())))
        .contains("fixed-window", "sliding-window", "token-bucket")
        .containsPattern("leaky-bucket .* asks each time")
        .containsPattern("interval-bucket .* asks each time");
    List<String> shown =
        Files.readString(Path.of("../../docs/near.md"))
            .lines()
            .dropWhile(line -> !line.endsWith(lines.get(0)))
            .takeWhile(line -> !line.isBlank())
            .toList();
    assertThat(shown)
        .hasSizeGreaterThan(2)
        .allSatisfy(line -> assertThat(lines).anyMatch(line::endsWith));
    assertThat(ran.out())
        .contains("\nCompared with a limiter that asks each time: 4 processes that lease 100");
  }

  @Test
  void theFiguresAddUp() {
    assertThat(limits).hasSameSizeAs(LimitKind.values());
    for (JsonElement limit : limits) {
      JsonObject asking = limit.getAsJsonObject();
      JsonObject leasing = asking.getAsJsonObject("leasing");
      assertThat(number(leasing, "processes")).isEqualTo(4);
      assertThat(number(leasing, "most_units_of_a_lease")).isEqualTo(100);
      assertThat(number(leasing, "held_at_most_us")).isEqualTo(500_000);
      assertThat(
              number(leasing, "asked_the_server")
                  + number(leasing, "remembered_denials")
                  + number(leasing, "handed_leased_units"))
          .isEqualTo(number(leasing, "admitted") + number(leasing, "denied"))
          .isEqualTo(number(asking, "asked"));
      assertThat(
              number(asking, "admitted")
                  - number(leasing, "denied_though_asking_admits")
                  + number(leasing, "admitted_though_asking_denies"))
          .isEqualTo(number(leasing, "admitted"));
      boolean leases = leasing.get("has_leases").getAsBoolean();
      assertThat(number(leasing, "units_leased") > 0).isEqualTo(leases);
      assertThat(leasing.has("can_pass_units")).isEqualTo(leases);
    }
    JsonObject bucket = limits.get(2).getAsJsonObject().getAsJsonObject("leasing");
    assertThat(number(bucket, "can_pass_units")).isEqualTo(1_000 + 1_000 + 500);
  }

  @Test
  void thePageHasAChapterOfIt() throws IOException {
    assertThat(Files.readString(REPORT.resolve("compare.html")).replace('\u00a0', ' '))
        .containsSubsequence(
            "Leases are ",
            "4 processes that lease 100 units for 500 ms at most",
            "denied, though asking admits",
            "units leased and never used",
            "Each process remembers denials");
  }

  @Test
  void withoutLeasesNothingIsSaidOfThem() throws IOException {
    CommandRun plain = run("--scenario", "burst", "--report", directory.toString());
    assertThat(plain.exitCode()).as(plain.err()).isZero();
    assertThat(plain.out()).doesNotContain("lease");
    assertThat(directory.resolve("compare.html")).content().doesNotContain("lease");
    assertThat(directory.resolve("compare.json")).content().doesNotContain("leasing");
  }

  @Test
  void aLogOfWholeSecondsIsAGuess() throws IOException {
    Path log = directory.resolve("whole.log");
    String line = "192.0.2.1 - - [20/Nov/2025:12:00:%02d +0000] \"GET / HTTP/1.1\" 200 1\n";
    StringBuilder text = new StringBuilder();
    for (int second = 0; second < 10; second++) {
      text.append(line.formatted(second).repeat(50));
    }
    Files.writeString(log, text);
    CommandRun one =
        run(
            "--log",
            log.toString(),
            "--limit token-bucket:1000/1m,burst=1000 --lease 20,300ms --processes 1",
            "--report",
            directory.toString());
    assertThat(one.exitCode()).as(one.err()).isZero();
    assertThat(one.out().replaceAll("\\s+", " "))
        .contains(
            "Compared with a limiter that asks each time: 1 process that leases 20 units for 300 ms")
        .contains("1 token-bucket:1000/1m,burst=1000")
        .contains("so the trips that they save are a guess.");
  }

  private static List<String> lines(CommandRun of) {
    return of.out()
        .lines()
        .dropWhile(line -> !line.startsWith("Compared with a limiter that asks each time"))
        .skip(2)
        .takeWhile(line -> !line.isBlank())
        .toList();
  }

  private static long number(JsonObject of, String field) {
    return of.get(field).getAsLong();
  }

  private static CommandRun run(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "compare";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return CommandRun.penstock(all);
  }
}
