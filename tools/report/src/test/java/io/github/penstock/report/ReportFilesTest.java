package io.github.penstock.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.report.chart.LineChart;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFilesTest {
  @TempDir private Path directory;

  @Test
  @DisplayName("A page holds findings, pictures with their tables, then how to repeat it")
  void order() throws Exception {
    ReportFiles files = new ReportFiles(directory.resolve("new"), "sample");
    files.write(sample());
    String page = Files.readString(files.html());
    assertThat(page)
        .containsSubsequence(
            "<h1>Sample",
            "In short.",
            "<h2>Cost",
            "<svg",
            "<summary>Table: Calls",
            "<li class=\"caution\"><b>caution</b> <span>It is too slow.",
            "<summary>Calls",
            "<th scope=\"row\">one",
            "A note.",
            "How to repeat");
    assertThat(page).contains("x &lt; 1 &amp; y").doesNotContain("<script", "http://", "https://");
  }

  @Test
  @DisplayName("The first chapter stands open, also where it would be folded behind another")
  void firstChapterIsOpen() throws Exception {
    ReportDocument document =
        new ReportDocument("Sample", "What was done.", RunFacts.here())
            .add(new ReportChapter("Empty", "Left out.").folded());
    for (String title : List.of("First", "Second")) {
      document.add(new ReportChapter(title, "").add(ReportFinding.note(title)).folded());
    }
    ReportFiles files = new ReportFiles(directory, "sample");
    files.write(document);
    assertThat(Files.readString(files.html()))
        .contains("<section>\n<h2>First", "<details class=\"section\">\n<summary><h2>Second");
  }

  @Test
  @DisplayName("A long name may be broken between its numbers, but not where no element may stand")
  void longNames() throws Exception {
    String name = "token-bucket:10/1s+100/1m,burst=120";
    ReportDocument document =
        new ReportDocument(name, name, RunFacts.here())
            .add(
                new ReportChapter(name, name)
                    .add(new ResultTable<>(name, List.of(name, "")).words("limit", row -> row))
                    .add(ReportFinding.note(name)));
    ReportFiles files = new ReportFiles(directory, "sample");
    files.write(document);
    String broken = "token-bucket:<wbr>10/1s+<wbr>100/1m,<wbr>burst=120";
    assertThat(Files.readString(files.html()))
        .contains("<title>" + name + "</title>", "aria-label=\"" + name + "\"")
        .contains("<h1>" + broken, "<h2>" + broken, "<span>" + broken, "\"row\">" + broken)
        .contains("<summary>" + broken, "<tr><td></td></tr>");
  }

  @Test
  @DisplayName("JSON holds the facts and what was measured, a password never")
  void json() throws Exception {
    ReportFiles files = new ReportFiles(directory, "sample");
    RunFacts facts =
        RunFacts.here().command(List.of("bench", "--redis", "redis://u:secret@h:1/0", "a b"));
    files.write(facts, Map.of("per second", 12.5));
    assertThat(Files.readString(files.json()))
        .startsWith("{\n  \"format\": 1,\n  \"facts\": {")
        .contains("\"per second\": 12.5", "./penstock bench --redis redis://u:***@h:1/0 'a b'")
        .contains("SHA1 of token-bucket", "Java's arguments", "MiB at most")
        .doesNotContain("secret");
    assertThat(Files.list(directory)).containsExactly(files.json());
  }

  @Test
  @DisplayName("What cannot be written is one sentence, and leaves nothing half done")
  void unwritable() throws Exception {
    ReportFiles files = new ReportFiles(directory, "sample");
    Files.createDirectories(files.json().resolve("in the way"));
    assertThatThrownBy(() -> files.write(RunFacts.here(), Map.of()))
        .isInstanceOf(UserErrorException.class)
        .hasMessage(files.json() + " cannot be written: directory not empty");
    assertThat(Files.list(directory)).containsExactly(files.json());
  }

  private static ReportDocument sample() {
    ReportChapter cost =
        new ReportChapter("Cost", "What x < 1 & y means.")
            .add(ReportFinding.caution("It is too slow."))
            .add(
                new LineChart("Calls", "per second", null, 1)
                    .line("one", SeriesColor.BLUE, new long[] {1, 3})
                    .figure("Higher is better."))
            .add(
                new ResultTable<>("Calls", List.of(1_000))
                    .words("what", row -> "one")
                    .figure("calls/s", FigureKind.COUNT, row -> row)
                    .note("A note."));
    return new ReportDocument("Sample", "What was done.", RunFacts.here())
        .inShort(ReportFinding.note("In short."))
        .add(cost)
        .add(new ReportChapter("Empty", "Left out."));
  }
}
