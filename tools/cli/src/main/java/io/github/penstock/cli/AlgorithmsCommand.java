package io.github.penstock.cli;

import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.operations.server.TemporaryKeys;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.replay.TrafficComparison;
import io.github.penstock.simulator.report.DocPictures;
import io.github.penstock.simulator.tokens.TokenComparison;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Draws the pictures of docs/algorithms.md, docs/near.md and docs/reservations.md. */
@Command(
    name = "algorithms",
    hidden = true,
    header = "Draws the pictures of docs/algorithms.md, docs/near.md and docs/reservations.md.",
    description =
        "Plays built-in traffic through the shipped scripts, as ./penstock compare does, and"
            + " draws what passed.",
    mixinStandardHelpOptions = true)
final class AlgorithmsCommand implements Runnable {
  private static final int THREADS = 2;
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();

  @Option(
      names = "--project",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "the project whose pictures are drawn (default: here).")
  private Path project;

  @Option(names = "--check", description = "only check whether the pictures are up to date.")
  private boolean check;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    for (String pictures : List.of("algorithms", "near", "reservations")) {
      Path directory = docs().resolve(pictures);
      if (!Files.isDirectory(directory)) {
        throw new UserErrorException(
            "--project must be a checkout of Penstock: there is no " + directory + " in it.");
      }
    }
    OrderlyStop.around(
        () -> {
          try (CheckedServer server = options.open()) {
            server.run(
                client -> {
                  try (TemporaryKeys keys = new TemporaryKeys(client)) {
                    use(
                        DocPictures.files(
                            new TrafficComparison(client, keys.prefix()),
                            new TokenComparison(client, THREADS, keys.prefix())),
                        out);
                  }
                });
          }
        });
  }

  private Path docs() {
    return project.resolve("docs");
  }

  private void use(Map<String, String> pictures, PrintWriter out) {
    List<Path> old = new ArrayList<>();
    try {
      for (Map.Entry<String, String> picture : pictures.entrySet()) {
        Path file = docs().resolve(picture.getKey());
        if (!check) {
          Files.writeString(file, picture.getValue());
        } else if (!Files.readString(file).equals(picture.getValue())) {
          old.add(file);
          continue;
        }
        out.println((check ? "up to date: " : "wrote ") + file);
      }
    } catch (IOException failure) {
      throw new UserErrorException(
          "--project must be this project: " + failure.getMessage(), failure);
    }
    if (!old.isEmpty()) {
      throw new UserErrorException("out of date: " + old + "; run ./penstock algorithms");
    }
  }
}
