package io.github.penstock.cli.clients;

import io.github.penstock.report.console.UserErrorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes docs/clients.md from what the clients' compatibility suites measured. */
@Command(
    name = "clients",
    description = {
      "Writes the page that shows all clients side by side, from what their tests measured.",
      "The measurements are made by:",
      "mvn test -Dpenstock.parallel=false -Dpenstock.clients.long=true \\",
      "  -Dtest='*CompatibilityTest' -Dsurefire.failIfNoSpecifiedTests=false"
    },
    mixinStandardHelpOptions = true)
public final class ClientsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--project",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "the project whose modules were tested (default: here).")
  private Path project;

  @Override
  public Integer call() throws IOException {
    try {
      Path page = project.resolve("docs").resolve("clients.md");
      Files.writeString(page, ClientsPage.of(project).text());
      spec.commandLine().getOut().println("wrote " + page);
      return 0;
    } catch (IllegalArgumentException | IOException problem) {
      throw new UserErrorException(String.valueOf(problem.getMessage()));
    }
  }
}
