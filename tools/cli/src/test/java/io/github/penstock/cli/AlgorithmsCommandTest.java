package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.limit.LimitKind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlgorithmsCommandTest {
  private static final Path PROJECT = Path.of("..", "..");
  @TempDir Path elsewhere;

  @Test
  void theTextSaysTheNumbersThatArePlayed() throws IOException {
    CommandRun ran =
        CommandRun.penstock("compare", "--scenario", "edge", "--report", elsewhere.toString());
    String text = Files.readString(PROJECT.resolve("docs/algorithms.md"));
    List<String> most =
        Pattern.compile("(?m)^ +(\\S+-\\S+) .* ([\\d,]+) in 3 s")
            .matcher(ran.out())
            .results()
            .map(row -> row.group(1) + " " + row.group(2))
            .toList();
    assertThat(most).hasSameSizeAs(LimitKind.values()).contains("fixed-window 1,980");
    assertThat(text).contains(most);
  }

  @Test
  @Tag("mistakes")
  void thePicturesAreOfWhatIsPlayedAndAnOldOneIsNoticed() throws IOException {
    for (String pictures : List.of("algorithms", "near", "reservations")) {
      Path copies = Files.createDirectories(elsewhere.resolve("docs").resolve(pictures));
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(PROJECT.resolve("docs").resolve(pictures))) {
        for (Path file : files) {
          Files.copy(file, copies.resolve(file.getFileName()));
        }
      }
    }
    Path picture = elsewhere.resolve("docs/near/trips.svg");
    String text = Files.readString(picture);
    assertThat(text).startsWith("<svg xmlns=").contains("prefers-color-scheme: dark");
    Files.writeString(picture, text.replace("0 at first", "1 at first"));
    CommandRun checked =
        CommandRun.penstock("algorithms", "--check", "--project", elsewhere.toString());
    assertThat(checked.exitCode()).as(checked.out()).isEqualTo(2);
    assertThat(checked.err()).contains("out of date: [" + picture + "];");
    assertThat(checked.out()).contains("up to date").contains("rates.svg");
  }
}
