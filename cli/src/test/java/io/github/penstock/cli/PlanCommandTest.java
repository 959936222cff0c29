package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.report.console.TerminalWidth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
      assertThat(Files.readString(Path.of("../docs/scale.md")))
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
            "--subjects",
            "50000",
            "--per-second",
            "1000",
            "--check",
            "--json",
            "--limit",
            "fixed-window:1000/1h",
            "--limit",
            "token-bucket:100/1h+1000/1d");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonObject plan = JsonParser.parseString(ran.out()).getAsJsonObject();
    assertThat(plan.get("servers").getAsInt()).isEqualTo(1);
    JsonObject checked = plan.getAsJsonObject("checked");
    assertThat(checked.get("off_by_percent").getAsDouble()).isBetween(-10.0, 10.0);
    assertThat(checked.get("micros_in_batches").getAsDouble()).isPositive();
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
            "--micros",
            "12",
            "--json",
            "--limit",
            "token-bucket:100/1m");
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
