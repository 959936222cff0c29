package io.github.penstock.benchmarks;

import io.github.penstock.benchmarks.bench.BenchCommand;
import io.github.penstock.benchmarks.bench.JmhCommand;
import io.github.penstock.benchmarks.compare.AlgorithmsCommand;
import io.github.penstock.benchmarks.compare.CompareCommand;
import io.github.penstock.benchmarks.compare.Disagreement;
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
public final class Penstock implements Callable<Integer> {
  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, arguments));
  }

  /** Runs one command. Returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    return new CommandLine(new Penstock())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Penstock::explain)
        .setExecutionExceptionHandler(Penstock::explain)
        .execute(forJmh(arguments) ? before("jmh", arguments) : arguments);
  }

  /* The jar is JMH's, too: java -jar benchmarks.jar -f 3 AlgorithmsBenchmark. */
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
    if (failure instanceof Complaint complaint) {
      command.getErr().println("penstock: " + complaint.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
    if (failure instanceof Disagreement disagreement) {
      command.getErr().println("penstock: " + disagreement.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw failure;
  }
}
