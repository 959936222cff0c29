package io.github.penstock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.penstock.benchmarks.Complaint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFilesTest {
  @TempDir private Path directory;

  @Test
  @DisplayName("A page holds findings and pictures, then tables, then how to repeat it")
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
            "<h2>The figures",
            "<table",
            "How to repeat");
    assertThat(page).contains("x &lt; 1 &amp; y").doesNotContain("<script", "http://", "https://");
  }

  @Test
  @DisplayName("Charts take every colour from the page's style")
  void colours() {
    Figure bars = bars().figure("");
    assertThat(bars.svg())
        .startsWith("<svg class=\"chart\" role=\"img\" aria-label=\"Calls\"")
        .endsWith("</svg>")
        .contains("var(--hue-blue)", "var(--hue-grey)", "var(--text)")
        .doesNotContain("rgb(", "<?xml", "<!DOCTYPE");
    assertThat(lines().figure("").svg())
        .contains("var(--hue-orange)", "var(--grid)")
        .doesNotContain("rgb(");
  }

  @Test
  @DisplayName("Every bar has its name, beside it and in order, however many there are")
  void names() {
    for (int count = 1; count <= 12; count++) {
      Bars bars = new Bars("Memory", "bytes");
      for (int i = 1; i <= count; i++) {
        bars.bar("l".repeat(i), "allowed", Hue.BLUE, 12_345);
      }
      String svg = bars.figure("").svg();
      List<Text> names = texts(svg).filter(text -> text.x() < 10).toList();
      List<Text> values = texts(svg).filter(text -> text.clipped()).toList();
      assertThat(names).hasSameSizeAs(values).hasSize(count);
      for (int i = 0; i < count; i++) {
        assertThat(names.get(i).y()).isCloseTo(values.get(i).y(), within(6.0));
        assertThat(i == 0 || names.get(i).width() > names.get(i - 1).width()).isTrue();
      }
    }
  }

  @Test
  @DisplayName("However long a bar's name is, every text stays within the picture")
  void longNames() {
    for (int length = 5; length <= 80; length += 5) {
      String svg =
          new Bars("Most", "units of one subject")
              .bar("x".repeat(length), "the limit", Hue.GREY, 100)
              .bar("x".repeat(length), "the most that passed", Hue.BLUE, 1_234_567)
              .figure("")
              .svg();
      Matcher box = Pattern.compile("viewBox=\"0 0 ([0-9.]+) ").matcher(svg);
      assertThat(box.find()).isTrue();
      double width = Double.parseDouble(box.group(1));
      assertThat(texts(svg)).hasSizeGreaterThan(6);
      assertThat(texts(svg)).allMatch(text -> text.x() >= 0 && text.x() + text.width() <= width);
    }
  }

  /* Texts are drawn as outlines: this is where they are, from top to bottom. */
  private static Stream<Text> texts(String svg) {
    return Pattern.compile(
            "<g( clip-path=\"[^\"]*\")? transform=\"translate\\((\\S+) (\\S+)\\)\"><path d=\"([^\"]*)\"")
        .matcher(svg)
        .results()
        .map(
            text ->
                new Text(
                    text.group(1) != null,
                    Double.parseDouble(text.group(2)),
                    Double.parseDouble(text.group(3)),
                    Pattern.compile("(-?[0-9.]+),")
                        .matcher(text.group(4))
                        .results()
                        .mapToDouble(x -> Double.parseDouble(x.group(1)))
                        .max()
                        .orElseThrow()))
        .sorted(Comparator.comparingDouble(Text::y));
  }

  private record Text(boolean clipped, double x, double y, double width) {}

  @Test
  @DisplayName("JSON holds the facts and what was measured, a password never")
  void json() throws Exception {
    ReportFiles files = new ReportFiles(directory, "sample");
    Facts facts =
        Facts.here().command(List.of("bench", "--redis", "redis://u:secret@h:1/0", "a b"));
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
    assertThatThrownBy(() -> files.write(Facts.here(), Map.of()))
        .isInstanceOf(Complaint.class)
        .hasMessage(files.json() + " cannot be written: directory not empty");
    assertThat(Files.list(directory)).containsExactly(files.json());
  }

  @Test
  @DisplayName("A row has as many cells as the header")
  void cells() {
    DataTable table = new DataTable("t", 1, "a", "b");
    assertThatThrownBy(() -> table.row("1")).isInstanceOf(IllegalArgumentException.class);
  }

  private static Report sample() {
    Chapter cost =
        new Chapter("Cost", "What x < 1 & y means.")
            .add(new Finding(Verdict.AHEAD, "It is ahead of the others, as far as this goes."))
            .add(new Finding(Verdict.BEHIND, "It is behind."))
            .add(bars().figure("Longer is better."))
            .add(lines().figure("Flat is better."))
            .add(new DataTable("Calls", 1, "what", "calls/s").row("one", "1,000").note("A note."));
    return new Report("Sample", "What was done.", Facts.here())
        .inShort(Finding.note("In short."))
        .add(cost)
        .add(new Chapter("Empty", "Left out."));
  }

  private static Bars bars() {
    return new Bars("Calls", "calls per second")
        .bar("Jedis", "Penstock", Hue.BLUE, 40_000)
        .bar("Jedis", "raw script", Hue.GREY, 41_000)
        .bar("Lettuce, the other client", "Penstock", Hue.BLUE, 50_000)
        .bar("Lettuce, the other client", "raw script", Hue.GREY, 52_000);
  }

  private static Lines lines() {
    return new Lines("Growth", "keys", "µs per call")
        .logarithmicX()
        .line(
            "allowed",
            Hue.ORANGE,
            new double[] {1e3, 1e4, 1e5, 1e6},
            new double[] {3, 3.1, 3.4, 4});
  }
}
