package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.OwnKeys;
import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Draws the pictures of docs/algorithms.md. */
@Command(
    name = "algorithms",
    header = "Draw the pictures of docs/algorithms.md.",
    description =
        "Plays a built-in traffic through the shipped scripts, as ./penstock compare does, and draws what passed.",
    mixinStandardHelpOptions = true)
public final class AlgorithmsCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();

  @Option(
      names = "--project",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "The project whose pictures are drawn (default: here).")
  private Path project;

  @Option(names = "--check", description = "only say whether the pictures are of what is played.")
  private boolean check;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    CleanStop.around(
        () -> {
          try (Server server = Server.open(options)) {
            server.run(
                client -> {
                  try (OwnKeys keys = new OwnKeys(client)) {
                    use(DocPictures.of(new Compare(client, keys.prefix())), out);
                  }
                });
          }
        });
  }

  private void use(List<DocPictures.Drawing> drawings, PrintWriter out) {
    Path directory = project.resolve("docs").resolve("algorithms");
    try {
      for (DocPictures.Drawing drawing : drawings) {
        Path file = directory.resolve(drawing.file());
        if (check) {
          check(drawing, file);
        } else {
          Files.createDirectories(directory);
          Files.writeString(file, drawing.picture().text());
        }
        out.println((check ? "is current: " : "wrote ") + file);
      }
    } catch (IOException failure) {
      throw new Complaint("--project must be this project: " + failure.getMessage(), failure);
    }
  }

  private static void check(DocPictures.Drawing drawing, Path file) throws IOException {
    if (!drawing.isShownBy(Files.readString(file))) {
      throw new Complaint(
          file + " shows something else than what is played: run ./penstock algorithms");
    }
  }
}
