package io.github.penstock.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The exit code and the output of one run of the command line. */
public record CommandRun(int exitCode, String out, String err) {
  /**
   * Runs {@code ./penstock} with these arguments; one that begins with {@code --} is split at its
   * spaces.
   */
  public static CommandRun penstock(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        PenstockCommand.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Stream.of(arguments)
                .flatMap(
                    each -> each.startsWith("--") ? Stream.of(each.split(" ")) : Stream.of(each))
                .toArray(String[]::new));
    return new CommandRun(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
