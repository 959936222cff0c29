package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlgorithmsCommandTest {
  private static final Path PROJECT = Path.of("..");
  @TempDir Path elsewhere;

  @Test
  void thePicturesAreOfWhatIsPlayed() {
    CommandRun ran = CommandRun.penstock("algorithms", "--check", "--project", PROJECT.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
  }

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
  void anOldPictureIsNoticed() throws IOException {
    Files.createDirectories(elsewhere.resolve("docs/algorithms"));
    Files.createDirectories(elsewhere.resolve("docs/near"));
    assertThat(CommandRun.penstock("algorithms", "--project", elsewhere.toString()).exitCode())
        .isZero();
    Path picture = elsewhere.resolve("docs/algorithms/token-bucket.svg");
    String text = Files.readString(picture);
    assertThat(text).startsWith("<svg xmlns=").contains("prefers-color-scheme: dark");
    Files.writeString(picture, text.replace("at most 98", "at most 97"));
    CommandRun ran =
        CommandRun.penstock("algorithms", "--check", "--project", elsewhere.toString());
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("token-bucket.svg is out of date");
  }
}
