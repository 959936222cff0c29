package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareLogTest {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final String ONE =
      "192.0.2.1 - - [20/Nov/2025:12:00:00 +0000] \"GET / HTTP/1.1\" 200 1\n";
  @TempDir static Path directory;
  @AutoClose private static final TestServer server = new EmbeddedServer().start();
  private static Path log;

  /** 50 clients with a request every 5 s for 10 minutes; one has 2 a second. */
  @BeforeAll
  static void start() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int second = 0; second < 600; second++) {
      String time = TIME.format(Instant.ofEpochSecond(1_763_640_000L + second));
      for (int client = second % 5; client < 50; client += 5) {
        text.append("192.0.2.%d - - [%s] \"GET / HTTP/1.1\" 200 1\n".formatted(client, time));
      }
      text.append(
          "203.0.113.9 - - [%s] \"GET / HTTP/1.1\" 200 1\n".repeat(2).formatted(time, time));
    }
    log = Files.writeString(directory.resolve("access.log"), text + "broken\u001b[31m line\n");
  }

  @Test
  void withoutALimitOneIsDerived() {
    CommandRun ran = run("--log", log.toString());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .contains("7,200 requests of 51 subjects (address), 2025-11-20 12:00:00 to")
        .contains("Use token-bucket:12/1m. It troubles 1 of 51 subjects (203.0.113.9, 17 %")
        .contains("fixed-window:12/1m")
        .doesNotContain("leaky")
        .contains(" decisions, all equal to the exact model.")
        .contains("1 line could not be read and is left out:")
        .contains("line 7201: no time in [brackets]");
  }

  @Test
  void aSampleSaysSoAndScalesItsCounts() {
    CommandRun ran = run("--log", log.toString(), "--sample", "1/3", "--check", "all");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .contains("7,200 requests of ~51 subjects (address), by a sample of 1/3, 2025-11-20 12:00")
        .containsPattern(
            "makes\\s+more\\s+than\\s+a\\s+thousandth\\s+of\\s+the\\s+requests:\\s+7,200\\s+of\\s+7,200")
        .containsPattern("~7,200\\s+requests,\\s+0.0\\s+%\\s+off")
        .contains(" decisions, all equal to the exact model.");
  }

  @Test
  void aPartOfTheSubjectsIsCheckedHoweverFewThereAre() throws IOException {
    CommandRun ran = run("--log", log.toString(), "--check", "1/5");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    String decisions = "36,000 decisions of the exact model. Of these the scripts made ";
    assertThat(ran.out().replaceAll("\\s+", " ")).contains(decisions);
    assertThat(Files.readString(directory.resolve("report/compare.html"))).contains(decisions);
  }

  @Test
  void aLogOfAProxyIsNoticed() throws IOException {
    StringBuilder main = new StringBuilder();
    for (int client = 0; client < 50; client++) {
      main.append(
          "10.0.0.1 - - [20/Nov/2025:12:00:%02d +0000] \"GET / HTTP/1.1\" 200 1".formatted(client));
      main.append(" \"-\" \"curl/8\" \"203.0.113.%d\"\n".formatted(client));
    }
    Path proxied = Files.writeString(directory.resolve("main.log"), main);
    String asked =
        "100 % of the requests come from 10.0.0.1: is this your proxy? --subject forwarded";
    CommandRun ran = run("--log", proxied.toString());
    assertThat(ran.out().replaceAll("\\s+", " "))
        .contains("50 requests of 1 subject (address)", asked);
    assertThat(ran.out()).containsSubsequence("is this your proxy?", "No number follows");
    assertThat(Files.readString(directory.resolve("report/compare.html")))
        .containsSubsequence("is this your proxy?", "</header>");
    ran = run("--log", proxied.toString(), "--subject", "forwarded");
    assertThat(ran.out())
        .contains("50 requests of 50 subjects (forwarded)")
        .doesNotContain("proxy?");
  }

  @Test
  void aPatternIsThatOfAServer() {
    String file = log.toString();
    String nginx =
        "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent";
    assertThat(run("--log", file, "--pattern", nginx).out())
        .contains("7,200 requests of 51 subjects");
    assertThat(run("--log", file, "--pattern", "$remote_addr").err())
        .contains("--pattern must be an nginx log_format with $time_local")
        .contains("its fields are remote_addr");
    assertThat(run("--log", file, "--pattern", nginx, "--format", "csv").err())
        .contains("leave out --format and --columns");
    assertThat(run("--log", file, "--format", "pattern").err()).contains("give it by --pattern");
    assertThat(run("--pattern", nginx).err()).contains("--pattern needs a log");
  }

  @Test
  void whatIsNoPartIsRefused() {
    assertThat(run("--log", log.toString(), "--check", "1/0").err())
        .contains("--check': '1/0' must be 1/N");
    assertThat(run("--sample", "1/2").err()).contains("--sample needs a log");
  }

  @Test
  void theLimitsThatWereGivenAreCompared() throws IOException {
    CommandRun ran =
        run(
            "--log",
            log.toString(),
            "--limit token-bucket:60/1m,burst=20 --limit fixed-window:60/1m+100/5m");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("1  token-bucket:60/1m,burst=20", "2  fixed-window:60/1m+100/5m");
    assertThat(ran.out()).contains("1 of 51").contains("14,400 decisions");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 100 || line.contains("Report"));
    String page = Files.readString(directory.resolve("report/compare.html"));
    assertThat(page).contains("203.0.113.9").doesNotContain("\u001b").contains("<svg");
    assertThat(Files.readString(directory.resolve("report/compare.json")))
        .contains("\"limit\": \"token-bucket:60/1m,burst=20\"")
        .contains("\"unreadable\": 1");
  }

  @Test
  void brokenLinesAreOneFindingBelowThePictures() throws IOException {
    Path broken =
        Files.writeString(
            directory.resolve("broken.log"), Files.readString(log) + "no\nnor this\nnor that\n");
    assertThat(run("--log", broken.toString(), "--limit", "fixed-window:60/1m").exitCode())
        .isZero();
    String page = Files.readString(directory.resolve("report/compare.html"));
    assertThat(page)
        .containsSubsequence("<svg", "4 lines could not be read and are left out: ", "line 7204");
    assertThat(page.split("could not be read", -1)).hasSize(2);
    assertThat(page.split("no time in \\[brackets\\]", -1)).hasSize(5);
    assertThat(page.split("<li ", -1).length).isLessThan(8);
  }

  @Test
  void nothingIsLeftOnTheServer() {
    try (RespConnection connection = server.connect()) {
      connection.call("SET", "mine", "untouched");
      assertThat(run("--log", log.toString(), "--limit", "token-bucket:1/1d").exitCode()).isZero();
      assertThat(connection.call("DBSIZE")).isEqualTo(1L);
      connection.call("DEL", "mine");
    }
  }

  @Test
  void whatCanNeverPassIsSaidWithItsRemedy() throws IOException {
    Path one = Files.writeString(directory.resolve("one.log"), ONE);
    String[] limits = {"fixed-window:20/1m", "token-bucket:40/1m,burst=20", "leaky-bucket:40/1m"};
    CommandRun ran =
        run(
            "--log",
            one.toString(),
            "--cost",
            "30",
            "--limit",
            limits[0],
            "--limit",
            limits[1],
            "--limit",
            limits[2]);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out().replaceAll("\\s+", " "))
        .contains(
            "fixed-window:20/1m, token-bucket:40/1m,burst=20 can never admit 1 request (100 %): it"
                + " costs more than these ever allow, however long the caller waits. Raise the"
                + " limit and the burst, or lower the cost.")
        .doesNotContain("leaky-bucket:40/1m can never");
    assertThat(Files.readString(directory.resolve("report/compare.html")))
        .contains("Raise the limit and the burst");
  }

  @Test
  void blankLinesAreNoRequest() throws IOException {
    Path blank = Files.writeString(directory.resolve("blank.log"), "\n \r\n".repeat(30));
    assertThat(run("--log", blank.toString()).err()).contains("there is no request in " + blank);
  }

  @Test
  void aCutGzipIsASentenceOfItsOwn() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(ONE.repeat(20_000).getBytes(StandardCharsets.UTF_8));
    }
    byte[] half = Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2);
    Path cut = Files.write(directory.resolve("cut.gz"), half);
    assertThat(run("--log", cut.toString(), "--limit", "fixed-window:1/1s").out())
        .containsPattern("\n  \\S+cut.gz is incomplete: its gzip");
  }

  @Test
  void standardInputIsCalledSo() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(ONE.getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(run("--log", "-", "--limit", "fixed-window:1/1s").out())
          .startsWith("standard input on ");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void aPathOfNoSegmentsNamesItsRule() {
    assertThat(run("--log", log.toString(), "--subject", "path:0").err())
        .contains("'path:0': the N of path:N must be a whole number from 1 to 99");
  }

  @Test
  void aLogAndAScenarioAreTwoThings() {
    assertThat(run("--log", log.toString(), "--scenario", "edge").err())
        .contains("give only one of them");
  }

  @Test
  void aFileIsGivenOnce() throws IOException {
    Path link = directory.resolve("link.log");
    if (Files.notExists(link)) {
      Files.createLink(link, log);
    }
    for (Path same : List.of(log, directory.resolve(".").resolve("access.log"), link)) {
      assertThat(run("--log", log.toString(), "--log", same.toString()).err())
          .contains("--log " + same + " is given twice");
    }
    assertThat(run("--log", "-", "--log", "/dev/stdin").err()).contains("is given twice");
  }

  @Test
  void whatIsNoFileIsSaid() {
    assertThat(run("--log", directory.toString()).err()).contains("is a directory");
    assertThat(run("--log", directory.resolve("missing").toString()).err())
        .contains("there is no such file");
  }

  @Test
  void optionsOfOtherFormatsAreNamed() {
    String file = log.toString();
    assertThat(run("--log", file, "--format", "common", "--time", "t").err())
        .contains("are for CSV and JSON, not for --format common");
    assertThat(run("--log", file, "--format", "json", "--columns", "a").err())
        .contains("--columns is for CSV, not for --format json");
    assertThat(run("--columns", "a").err()).contains("--columns needs a log");
    assertThat(run("--log", file, "--time-format", "bb").err())
        .contains("--time-format is not a pattern of DateTimeFormatter");
    assertThat(run("--scenario", "nope").err())
        .contains("'nope' must be one of [edge, burst, steady, edges, on-off,");
  }

  @Test
  void theNewestFileFirstOnStandardInputIsTheSameTraffic() throws IOException {
    List<String> lines = Files.readAllLines(log);
    String newestFirst =
        String.join("\n", lines.subList(3_000, 7_200))
            + "\n"
            + String.join("\n", lines.subList(0, 3_000));
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(newestFirst.getBytes(StandardCharsets.UTF_8)));
    try {
      CommandRun piped = run("--log", "-");
      assertThat(piped.exitCode()).as(piped.err()).isZero();
      assertThat(table(piped)).isEqualTo(table(run("--log", log.toString())));
      assertThat(piped.out()).contains("3,000 lines out of order");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void theAdviceIsOneSentence() {
    CommandRun ran = run("--log", log.toString(), "--limit", "token-bucket:60/1m");
    assertThat(ran.out().replaceAll("\\s+", " "))
        .contains(
            "token-bucket:60/1m troubles 1 of 51 subjects (203.0.113.9, 17 % of the requests) and"
                + " denies 7.5 % of the requests, nearly all of them this subject's; no admitted"
                + " request waits; one subject can pass at most 120 requests in any minute.");
  }

  private static List<String> table(CommandRun ran) {
    return ran.out().lines().filter(line -> line.contains("of 51")).toList();
  }

  @Test
  void costsAreCountedInUnits() throws IOException {
    CommandRun ran = run("--log", log.toString(), "--cost", "3", "--limit", "fixed-window:60/1m");
    assertThat(ran.out())
        .contains("7,200 requests that cost 21,600 units, of 51 subjects")
        .contains("most units of");
    String page = Files.readString(directory.resolve("report/compare.html"));
    assertThat(page).contains("most units of one subject", "units per ");
    run("--log", log.toString(), "--limit", "fixed-window:60/1m");
    assertThat(Files.readString(directory.resolve("report/compare.html")))
        .doesNotContainPattern("\\bunits?\\b");
  }

  @Test
  void trafficAsCsvGivesTheSameFigures() throws IOException {
    Path csv = directory.resolve("traffic.csv");
    String[] limit = {"--limit", "token-bucket:60/1m+300/5m"};
    CommandRun direct =
        run(
            "--log",
            log.toString(),
            "--cost",
            "3",
            "--traffic-csv",
            csv.toString(),
            limit[0],
            limit[1]);
    assertThat(direct.exitCode()).as(direct.err()).isZero();
    assertThat(Files.readString(csv))
        .startsWith("time,client,units\n1763640000000000,192.0.2.0,3\n")
        .hasLineCount(7_201);
    String figures = subjects();
    CommandRun again = run("--log", csv.toString(), "--cost", "field:units", limit[0], limit[1]);
    assertThat(table(again)).isNotEmpty().isEqualTo(table(direct));
    assertThat(subjects()).isEqualTo(figures);
    assertThat(run("--log", csv.toString(), "--traffic-csv", csv.toString()).err())
        .contains("is a log that is read");
    assertThat(run("--traffic-csv", csv.toString()).err()).contains("--traffic-csv needs a log");
  }

  private static String subjects() throws IOException {
    String json = Files.readString(directory.resolve("report/compare.json"));
    return json.substring(json.indexOf("\"limits\""));
  }

  @Test
  void aSiteIsLinkedWithTheLimits() throws IOException {
    String[] ofSite = {"--site", "https://example.org/penstock/"};
    String[] limits = {
      "--limit", "fixed-window:60/1m", "--limit", "token-bucket:9/1s+60/1m,burst=9"
    };
    String[] all = {
      "--log", log.toString(), limits[0], limits[1], limits[2], limits[3], ofSite[0], ofSite[1]
    };
    assertThat(run(all).exitCode()).isZero();
    assertThat(Files.readString(directory.resolve("report/compare.html")))
        .contains(
            "href=\"https://example.org/penstock/playground.html#limit=fixed-window:60/1m"
                + "&amp;limit=token-bucket:9/1s+60/1m,burst=9\"");
    assertThat(run(Arrays.copyOf(all, 6)).exitCode()).isZero();
    assertThat(Files.readString(directory.resolve("report/compare.html"))).doesNotContain("href");
    assertThat(run("--site", "penstock").err()).contains("--site penstock must be the address");
  }

  @Test
  void oneOptionTakesSeveralFiles() throws IOException {
    Path one = Files.writeString(directory.resolve("single.log"), ONE);
    assertThat(run("--log", one.toString(), log.toString(), "--limit", "fixed-window:1/1s").out())
        .contains("7,201 requests");
  }

  @Test
  void theSameLimitTwiceIsAnError() {
    CommandRun ran =
        run("--log", log.toString(), "--limit fixed-window:1/1s --limit fixed-window:1/1s");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("--limit fixed-window:1/1s is given twice");
  }

  @Test
  void nothingReadableIsAnErrorWithItsReason() throws IOException {
    Path csv = Files.writeString(directory.resolve("x.csv"), "when,who\n2025-11-20T12:00:00Z,me\n");
    CommandRun ran =
        run("--log", csv.toString(), "--limit", "fixed-window:1/1s", "--subject", "field:who");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err())
        .contains("nothing in", "can be read", "no field for the time among when, who");
  }

  @Test
  void aReportThatCannotBeWrittenIsAComplaint() {
    CommandRun ran =
        CommandRun.penstock(
            "compare", "--scenario", "burst", "--out", log.resolve("under").toString());
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("--out must be a directory that can be written");
  }

  private static CommandRun run(String... arguments) {
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 5);
    String[] more = {
      "compare",
      "--redis",
      server.url().toString(),
      "--report",
      directory.resolve("report").toString()
    };
    System.arraycopy(more, 0, all, 0, 5);
    System.arraycopy(arguments, 0, all, 5, arguments.length);
    return CommandRun.penstock(all);
  }
}
