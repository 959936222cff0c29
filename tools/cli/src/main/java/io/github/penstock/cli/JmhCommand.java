package io.github.penstock.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** JMH itself, with all its own options, on the benchmarks in this jar. */
@Command(
    name = "jmh",
    header = "Runs JMH with all its own options: ./penstock jmh -h",
    description =
        "Runs the benchmarks of this jar. Without -jvmArgs -Dpenstock.redis=redis://... every fork starts an"
            + " embedded Redis.")
final class JmhCommand implements Callable<Integer> {
  @Unmatched private final List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    Main.main(arguments.stream().map(JmhCommand::known).toArray(String[]::new));
    return 0;
  }

  /* JMH knows only the short one. */
  private static String known(String argument) {
    return argument.equals("--help") ? "-h" : argument;
  }
}
