package io.github.penstock.cli;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.replay.ModelMismatchException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line {@code ./penstock}.
 *
 * <p>Exit codes: 0 done, 1 a fault in here (with its stack trace, it is ours to mend), 2 something
 * that the caller can mend (one sentence).
 */
@Command(
    name = "penstock",
    description = "Rate limiting for Redis and Valkey: see it at work before you adopt it.",
    subcommands = {
      CompareCommand.class,
      AlgorithmsCommand.class,
      ScriptCostCommand.class,
      BenchCommand.class,
      ClientsCommand.class,
      JmhCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = BundleVersion.class,
    synopsisSubcommandLabel = "COMMAND")
public final class PenstockCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, arguments));
  }

  /** Runs one command. Returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    return OptionConversion.added(new CommandLine(new PenstockCommand()))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(PenstockCommand::explain)
        .setExecutionExceptionHandler(PenstockCommand::explain)
        .execute(forJmh(arguments) ? before("jmh", arguments) : arguments);
  }

  /* The jar is JMH's, too: java -jar penstock.jar -f 3 AlgorithmsBenchmark. */
  private static boolean forJmh(String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    boolean jmhOption = first.matches("-[a-zA-Z].*") && !first.equals("-h") && !first.equals("-V");
    return jmhOption || first.contains("Benchmark");
  }

  private static String[] before(String command, String... arguments) {
    return Stream.concat(Stream.of(command), Arrays.stream(arguments)).toArray(String[]::new);
  }

  /** Without a command: what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }

  private static int explain(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("penstock: " + message(wrong) + ".");
    UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("Try: ./" + command.getCommandSpec().qualifiedName() + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  /* Of an option with several names picocli says the longest, not the one that was given. */
  private static String message(ParameterException wrong) {
    return wrong instanceof OverwrittenOptionException twice
            && twice.getOverwritten() instanceof OptionSpec option
        ? "option '" + String.join("' or '", option.names()) + "' must be given only once"
        : String.valueOf(wrong.getMessage());
  }

  private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (failure instanceof UserErrorException complaint) {
      command.getErr().println("penstock: " + complaint.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
    if (failure instanceof ModelMismatchException disagreement) {
      command.getErr().println("penstock: " + disagreement.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw failure;
  }
}
