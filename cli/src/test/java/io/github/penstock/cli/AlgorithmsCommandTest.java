package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlgorithmsCommandTest {
  private static final Path PROJECT = Path.of("..");
  @TempDir Path elsewhere;

  @Test
  void theTextSaysTheNumbersThatArePlayed() throws IOException {
    CommandRun ran =
        CommandRun.penstock("compare", "--scenario", "edge", "--report", elsewhere.toString());
    String text = Files.readString(PROJECT.resolve("docs/algorithms.md"));
    for (String row :
        ran.out().lines().filter(line -> line.matches(" +\\S+-\\S+ +[\\d, ]+")).toList()) {
      String[] cells = row.strip().split(" +");
      assertThat(text).contains(cells[0] + " " + cells[cells.length - 1]);
    }
    assertThat(ran.out()).contains("1,980");
  }

  @Test
  void thePicturesAreOfWhatIsPlayedAndAnOldOneIsNoticed() throws IOException {
    for (String pictures : List.of("algorithms", "near", "reservations")) {
      Files.createDirectories(elsewhere.resolve("docs").resolve(pictures));
    }
    CommandRun drawn = CommandRun.penstock("algorithms", "--project", elsewhere.toString());
    assertThat(drawn.exitCode()).as(drawn.err()).isZero();
    for (String pictures : List.of("docs/algorithms", "docs/near", "docs/reservations")) {
      assertThat(texts(elsewhere.resolve(pictures))).isEqualTo(texts(PROJECT.resolve(pictures)));
    }
    Path picture = elsewhere.resolve("docs/near/trips.svg");
    String text = Files.readString(picture);
    assertThat(text).startsWith("<svg xmlns=").contains("prefers-color-scheme: dark");
    Files.writeString(picture, text.replace("0 at first", "1 at first"));
    CommandRun checked =
        CommandRun.penstock("algorithms", "--check", "--project", elsewhere.toString());
    assertThat(checked.exitCode()).isEqualTo(2);
    assertThat(checked.err()).contains("trips.svg is out of date");
    assertThat(checked.out()).contains("up to date").contains("rates.svg");
  }

  /* Of the files of a directory, by their names. */
  private static Map<String, String> texts(Path directory) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        texts.put(String.valueOf(file.getFileName()), Files.readString(file));
      }
    }
    return texts;
  }
}
