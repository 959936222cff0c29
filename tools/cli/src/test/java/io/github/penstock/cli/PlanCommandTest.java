package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.report.console.TerminalWidth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
  private static final String[] EXAMPLE =
      ("plan --subjects 50000000 --limit token-bucket:100/1m --per-second 200000 --processes 400")
          .split(" ");

  @Test
  void docsScaleShowsWhatItPrints() throws IOException {
    String before = System.getProperty(TerminalWidth.PROPERTY);
    System.setProperty(TerminalWidth.PROPERTY, "80");
    try {
      CommandRun ran = CommandRun.penstock(EXAMPLE);
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
      String shown = ran.out().indent(4).replaceAll("(?m)^ +$", "");
      assertThat(Files.readString(Path.of("../../docs/scale.md")))
          .contains("    ./penstock " + String.join(" ", EXAMPLE) + "\n")
          .contains(shown.stripTrailing());
    } finally {
      restore(before);
    }
  }

  @Test
  void aServerThatIsFilledAgrees() {
    CommandRun ran =
        CommandRun.penstock(
            "plan",
            "--subjects 50000 --per-second 1000 --check --json --limit fixed-window:1000/1d --limit token-bucket:100/1d+1000/7d");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonObject plan = JsonParser.parseString(ran.out()).getAsJsonObject();
    assertThat(plan.get("servers").getAsInt()).isEqualTo(1);
    JsonObject checked = plan.getAsJsonObject("checked");
    assertThat(checked.get("off_by_percent").getAsDouble()).isBetween(-10.0, 10.0);
    assertThat(checked.get("micros_in_batches").getAsDouble()).isPositive();
  }

  @Test
  void aStateWithARemainderIsPlannedAsItIsStored() {
    JsonObject plan = checked("token-bucket:7/1m,burst=1000");
    JsonObject checked = plan.getAsJsonObject("checked");
    assertThat(checked.get("off_by_percent").getAsDouble()).isBetween(-10.0, 10.0);
    double batch = checked.get("micros_in_batches").getAsDouble();
    assertThat(plan.get("request_micros").getAsDouble()).isCloseTo(3.5 * batch, within(0.001));
    assertThat(plan.get("request_micros_at_best").getAsDouble())
        .isCloseTo(2 * batch, within(0.001));
    assertThat(plan.get("per_second_of_a_server").getAsDouble())
        .isCloseTo(600_000 / (3.5 * batch), within(1.0));
  }

  @Test
  void theTimeIsAssumedUnlessItIsMeasuredOrGiven() {
    String[] plan = "plan --subjects 1000 --per-second 1000 --limit token-bucket:100/1m".split(" ");
    assertThat(CommandRun.penstock(plan).out()).containsPattern("for a request +15.0 +assumed");
    assertThat(CommandRun.penstock(with(plan, "--micros", "12")).out())
        .containsPattern("for a request +12.0 +as given");
    assertThat(CommandRun.penstock(with(plan, "--check")).out().replaceAll("\\s+", " "))
        .containsPattern("for a request [\\d.]+ to [\\d.]+ measured")
        .contains("By itself it takes 2 to 3.5 times as much")
        .containsPattern("The plan is off by [-+][\\d.]+ %. It takes the next longer row of");
    assertThat(CommandRun.penstock(with(plan, "--check", "--micros", "12")).out())
        .containsPattern("for a request +12.0 +as given");
  }

  @Test
  void reservationsThatAreHeldTakeWhatThePageMeasured() throws IOException {
    String[] plan = "plan --subjects 1 --per-second 1 --limit token-bucket:1/1m --json".split(" ");
    assertThat(CommandRun.penstock(plan).out()).doesNotContain("reservations");
    String page = Files.readString(Path.of("../../docs/scale.md"));
    JsonObject first =
        JsonParser.parseString(CommandRun.penstock(with(plan, "--held", "2000000")).out())
            .getAsJsonObject()
            .getAsJsonArray("reservations")
            .get(0)
            .getAsJsonObject();
    assertThat(page)
        .containsPattern(
            "\\| all under one key \\| +" + first.get("bytes_under_one_key").getAsInt() + " \\|")
        .containsPattern(
            "\\| a key each \\| +" + first.get("bytes_with_a_key_each").getAsInt() + " \\|");
    assertThat(CommandRun.penstock(with(plan, "--held", "-1")).err())
        .contains("--held must be from 1 to 1,000,000,000,000: -1.");
  }

  private static String[] with(String[] command, String... more) {
    return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
  }

  private static JsonObject checked(String limit) {
    String[] plan = "plan --subjects 50000 --per-second 1000 --check --json --limit".split(" ");
    CommandRun ran = CommandRun.penstock(with(plan, limit));
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    return JsonParser.parseString(ran.out()).getAsJsonObject();
  }

  @Test
  void twiceTheRequestsTakeTwiceTheServersAndTheWire() {
    JsonObject one = json("100000");
    JsonObject two = json("200000");
    assertThat(two.get("servers").getAsInt()).isEqualTo(2 * one.get("servers").getAsInt());
    assertThat(two.get("wire_bytes_of_a_request")).isEqualTo(one.get("wire_bytes_of_a_request"));
    assertThat(one.get("per_second_of_a_server").getAsInt()).isEqualTo(50_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--subjects 0 | --subjects must be from 1 to 1,000,000,000,000: 0.",
        "--subjects many | option '--subjects': 'many' is not a whole number",
        "--per-second -1 | --per-second must be from 1 to 1,000,000,000: -1.",
        "--processes 1000001 | --processes must be from 1 to 1,000,000: 1000001.",
        "--micros NaN | --micros must be above 0, up to 10,000: NaN.",
        "--limit leaky:1/1s | a limit must begin with one of fixed-window",
        "--policy a:b | --policy or --subject: policy",
        "--subject a --check | --subject must have at least 8 characters with --check.",
        "--subjects 20000001 --check | --subjects with --check must be from 1 to 20,000,000",
        "--server redis-server | --server is the one to check on: give --check, too."
      })
  void whatIsWrongIsNamed(String options, String complaint) {
    String given = options.contains("--subjects") ? "" : " --subjects 1000";
    given += options.contains("--per-second") ? "" : " --per-second 1000";
    given += options.contains("--limit") ? "" : " --limit token-bucket:100/1m";
    CommandRun ran = CommandRun.penstock(("plan " + options + given).split(" "));
    assertThat(ran.exitCode()).as(ran.out()).isEqualTo(2);
    assertThat(ran.err()).contains(complaint);
  }

  private static JsonObject json(String perSecond) {
    CommandRun ran =
        CommandRun.penstock(
            "plan",
            "--subjects",
            "1000",
            "--per-second",
            perSecond,
            "--micros 12 --json --limit token-bucket:100/1m");
    return JsonParser.parseString(ran.out()).getAsJsonObject();
  }

  private static void restore(String before) {
    if (before == null) {
      System.clearProperty(TerminalWidth.PROPERTY);
    } else {
      System.setProperty(TerminalWidth.PROPERTY, before);
    }
  }
}
