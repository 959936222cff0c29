package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareTokensTest {
  private static final String HEADER = "time,tenant,ms,max_tokens,tokens\n";
  private static final String[] FIELDS = {
    "--subject", "field:tenant",
    "--duration", "field:ms/1000",
    "--estimated", "field:max_tokens",
    "--used", "field:tokens"
  };
  @TempDir static Path directory;
  @AutoClose private static final TestServer server = new EmbeddedServer().start();

  @Test
  void aLogIsChargedInFourWays() throws IOException {
    Path log = log("2026-11-25T12:00:00Z,a,5000,25,20\n".repeat(10));
    CommandRun ran = compare(log, "--limit", "fixed-window:100/1m");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(row(ran, "charged afterwards")).containsExactly("200 %", "200", "200 %", "0 %", "-");
    assertThat(row(ran, "charged by estimate")).startsWith("80 %", "80", "80 %", "60 %");
    assertThat(row(ran, "estimate, late refund")).startsWith("80 %", "80", "80 %", "60 %");
    assertThat(row(ran, "reserved")).startsWith("80 %", "80", "80 %", "60 %");
    assertThat(ran.out()).contains(" decisions, all equal to the exact model.");
    assertThat(ran.out().lines())
        .allMatch(line -> line.length() <= 100 || line.startsWith("Report:"));
    Path report = directory.resolve("report");
    assertThat(Files.readString(report.resolve("compare.html")))
        .contains("charged afterwards", "fixed-window:100/1m");
    JsonObject first =
        JsonParser.parseString(Files.readString(report.resolve("compare.json")))
            .getAsJsonObject()
            .getAsJsonArray("measured")
            .get(0)
            .getAsJsonObject();
    assertThat(first.get("way").getAsString()).isEqualTo("afterwards");
    JsonObject play = first.getAsJsonArray("plays").get(0).getAsJsonObject();
    assertThat(play.get("most_units_in_a_period").getAsLong()).isEqualTo(200);
    assertThat(play.get("units_used").getAsLong()).isEqualTo(200);
  }

  @Test
  void jsonInAnyOrderIsTheSame() throws IOException {
    String line =
        "{\"time\":\"2026-11-25T12:00:0%dZ\",\"tenant\":\"a\",\"ms\":%d,\"max_tokens\":50,\"tokens\":9}\n";
    Path log =
        Files.writeString(
            directory.resolve("calls.json"), line.formatted(9, 10) + line.formatted(1, 9_000));
    CommandRun ran = compare(log, "--limit", "sliding-window:60/1m");
    assertThat(row(ran, "reserved")).startsWith("15 %", "9");
    assertThat(row(ran, "charged afterwards")).startsWith("30 %", "18");
  }

  @Test
  void whatCannotBeReadNamesLineAndRule() throws IOException {
    String good = "2026-11-25T12:00:00Z,a,5000,25,20\n";
    assertComplaint(
        good + "2026-11-25T12:00:00Z,a,5000,0,20\n",
        "line 3: the estimate must be a number from 1 to 1000000000000: 0");
    assertComplaint(
        good + "2026-11-25T12:00:00Z,a,5000,25,-1\n",
        "line 3: the number of units used must be a number from 0 to 1000000000000: -1");
    assertComplaint(
        good + "2026-11-25T12:00:00Z,a,1e99,25,20\n",
        "line 3: the duration must be a number from 0 to 2592000: 1e99");
    assertComplaint("2026-11-25T12:00:00Z,a,,25,20\n", "line 2: field 'ms' must hold the duration");
    assertComplaint(good + "yesterday,a,5,25,20\n", "line 3: not a time: yesterday");
    assertComplaint(good + "2026-11-25T12:00:00Z,,5,25,20\n", "line 3: no subject");
    assertComplaint(good + "2026-11-25T12:00:00Z,a,5\n", "line 3: 3 fields instead of 5");
    assertComplaint("", "there is no call in");
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() throws IOException {
    Path log = log("2026-11-25T12:00:00Z,a,5000,25,20\n");
    assertThat(compare(log).err()).contains("--used needs a --limit");
    assertThat(compare(log, "--limit", "leaky-bucket:1/1s").err())
        .contains("--limit leaky-bucket:1/1s cannot be reserved");
    assertThat(compare(log, "--limit", "fixed-window:1/1s", "--lease", "9,1s").err())
        .contains("--lease is for requests whose cost is known when they come");
    assertThat(run("--log", log.toString(), "--used", "field:tokens").err())
        .contains("--duration, --estimated and --used are given together");
    assertThat(run(FIELDS).err()).contains("--subject needs a log");
    assertThat(run(Arrays.copyOfRange(FIELDS, 2, FIELDS.length)).err())
        .contains("--used needs a log");
    assertThat(run("--scenario", "tokens,edge").err())
        .contains("--scenario tokens is played by itself");
    assertThat(run("--log", log.toString(), "--used", "tokens").err())
        .contains(
            "'tokens' must be a whole number, field:NAME, field:A+field:B, or these with /DIVISOR");
  }

  private static void assertComplaint(String lines, String complaint) throws IOException {
    CommandRun ran = compare(log(lines), "--limit", "fixed-window:100/1m");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err().replaceAll("\\s+", " ")).contains(complaint);
  }

  private static Path log(String lines) throws IOException {
    return Files.writeString(directory.resolve("calls.csv"), HEADER + lines);
  }

  private static CommandRun compare(Path log, String... more) {
    return run(
        Stream.of(Stream.of("--log", log.toString()), Stream.of(FIELDS), Stream.of(more))
            .flatMap(each -> each)
            .toArray(String[]::new));
  }

  private static CommandRun run(String... arguments) {
    Stream<String> given =
        Stream.of(
            "compare",
            "--redis",
            server.url().toString(),
            "--report",
            directory.resolve("report").toString());
    return CommandRun.penstock(Stream.concat(given, Stream.of(arguments)).toArray(String[]::new));
  }

  private static List<String> row(CommandRun ran, String name) {
    String line =
        ran.out().lines().filter(each -> each.startsWith("  " + name)).findFirst().orElseThrow();
    return List.of(line.strip().substring(name.length()).strip().split("  +"));
  }
}
