package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareSuggestTest {
  private static final int MINUTES = 10;
  @TempDir private Path directory;

  /** In each of ten minutes, one client asks 120 times and fifty others 12 times: 7,200 in all. */
  private Path log() throws IOException {
    StringBuilder text = new StringBuilder("time,subject\n");
    for (int minute = 0; minute < MINUTES; minute++) {
      for (int second = 0; second < 60; second++) {
        long time = 1_763_640_000L + 60 * minute + second;
        text.append((time + ",hot\n").repeat(2));
        for (int client = second % 5; client < 50; client += 5) {
          text.append(time).append(",s").append(client).append('\n');
        }
      }
    }
    return Files.writeString(directory.resolve("access.csv"), text);
  }

  @Test
  void theLeastNumbersAreSaidInTextPageAndJson() throws IOException {
    CommandRun ran =
        run("--log", log().toString(), "--subject", "field:subject", "--suggest", "1m");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out())
        .containsSubsequence(
            "At most 0.1 % of the requests denied",
            "fixed-window:120/1m",
            "240",
            "At most 1 % of the requests denied",
            "fixed-window:113/1m",
            "226",
            "At most 5 % of the requests denied",
            "fixed-window:84/1m",
            "the next smaller one denies more")
        .contains(", too, all equal to it.")
        .doesNotContain("None of the limits", "denies the fewest");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 100 || line.contains("Report"));
    assertThat(Files.readString(directory.resolve("report/compare.html")).replace("<wbr>", ""))
        .containsSubsequence("may deny", "fixed-window:113/1m", "226", "<svg", "At most 5");
    assertThat(Files.readString(directory.resolve("report/compare.json")).replaceAll("\\s+", ""))
        .contains("\"denies_at_most_percent\":0.1,", "\"denies_at_most_percent\":5.0,")
        .contains("\"limit\":\"fixed-window:84/1m\",\"denied\":360,\"can_pass_units\":168");
  }

  @Test
  void ofASampleThePageCountsSubjectsOfTheWholeLog() throws IOException {
    CommandRun ran =
        run(
            "--log",
            log().toString(),
            "--subject",
            "field:subject",
            "--suggest",
            "1m",
            "--sample",
            "1/2");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    String page = Files.readString(directory.resolve("report/compare.html")).replace("<wbr>", "");
    assertThat(page.substring(0, page.indexOf("</table>")))
        .containsPattern("%</td><td class=.n.>~\\d+</td>");
  }

  @Test
  void whatDoesNotFitIsSaid() throws IOException {
    String log = log().toString();
    assertThat(run("--suggest", "1m").err()).contains("--suggest needs a log");
    assertThat(run("--log", log, "--suggest", "1m", "--limit", "fixed-window:1/1m").err())
        .contains("give only one of them");
    for (String period : new String[] {"1x", "0s", "367d", "", "1m,burst=3", "100/1m", "1m+5/1h"}) {
      CommandRun ran = run("--log", log, "--suggest", period);
      assertThat(ran.exitCode()).isEqualTo(2);
      assertThat(ran.err()).contains("--suggest " + period + ": a period must be from 1us to 366d");
    }
    Path huge = Files.writeString(directory.resolve("huge.csv"), "time,address,c\n");
    String line = "1763640000,a,1000000000000\n";
    Files.writeString(huge, Files.readString(huge) + line.repeat(2));
    assertThat(run("--log", huge.toString(), "--cost", "field:c/1", "--suggest", "1h").err())
        .contains("no limit per 1h denies as little as 5 % of this log.");
  }

  private CommandRun run(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "compare";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "--out";
    all[all.length - 1] = directory.resolve("report").toString();
    return CommandRun.penstock(all);
  }
}
