package io.github.penstock.cli.scripts;

import io.github.penstock.operations.bundle.BundleItem;
import io.github.penstock.report.console.UserErrorException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that choose the part of the bundle a command is about. */
final class BundleOptions {
  @Parameters(
      paramLabel = "SCRIPT",
      arity = "0..*",
      description = "names of scripts, drop-ins too; those of the protocol if left out.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--functions",
      description = "the Functions library in place of the scripts; it holds all of them.")
  private boolean functions;

  boolean functions() {
    return functions;
  }

  /** The scripts that were named; a UserErrorException if they cannot be. */
  List<BundleItem> scripts() {
    if (functions && !names.isEmpty()) {
      throw new UserErrorException(
          "--functions is the whole library: leave the names of scripts out.");
    }
    return BundleItem.named(names);
  }
}
