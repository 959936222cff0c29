package io.github.penstock.cli;

import io.github.penstock.cli.scripts.CommandOutput;
import io.github.penstock.cli.scripts.ScriptsCommand;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.console.TerminalWidth;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.simulator.replay.ModelMismatchException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line {@code ./penstock}.
 *
 * <p>Exit codes: 0 success, 1 a bug in this program (one sentence, and the stack trace in a file),
 * 2 an error that the user can fix (one sentence). {@code scripts} also has 3.
 */
@Command(
    name = "penstock",
    description = "Rate limiting for Redis and Valkey: see it at work before you adopt it.",
    subcommands = {
      CompareCommand.class,
      PlanCommand.class,
      ScriptCostCommand.class,
      BenchCommand.class,
      JmhCommand.class,
      ScriptsCommand.class,
      CommandLine.HelpCommand.class
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class PenstockCommand implements Callable<Integer> {
  private static final int LONGEST = 2_000;
  private static final Pattern NO_NUMBER = Pattern.compile(" is not an? (int|long)$");
  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, arguments));
  }

  /** Runs one command. Returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    CommandLine line =
        OptionConversion.added(new CommandLine(new PenstockCommand()))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler(PenstockCommand::explain)
            .setExecutionExceptionHandler((fault, command, parsed) -> explain(fault, command));
    line.getCommandSpec().versionProvider(PenstockCommand::version);
    line.getSubcommands()
        .values()
        .forEach(each -> each.getCommandSpec().versionProvider(PenstockCommand::version));
    if (System.getProperty(TerminalWidth.PROPERTY) == null && System.console() != null) {
      int found = line.getCommandSpec().usageMessage().autoWidth(true).width();
      System.setProperty(TerminalWidth.PROPERTY, Integer.toString(found));
    }
    line.setUsageHelpWidth(Math.max(55, TerminalWidth.columns()));
    int exitCode;
    try {
      exitCode = line.execute(arguments);
    } catch (Throwable fault) {
      exitCode = explain(fault, line);
    }
    if (out.checkError()) {
      err.println(
          "penstock: not all of the output could be written: the disk is full, or its reader has"
              + " gone.");
      return CommandLine.ExitCode.USAGE;
    }
    return exitCode;
  }

  private static String[] version() {
    return new String[] {
      "Penstock scripts " + LuaScript.bundleVersion() + ", protocol " + LuaScript.protocolVersion()
    };
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }

  private static int explain(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    List<String> unknown = command.getUnmatchedArguments();
    if (wrong instanceof MissingParameterException && !unknown.isEmpty()) {
      // A mistyped option should not first lead to a message about another one.
      return explain(new UnmatchedArgumentException(command, unknown), arguments);
    }
    PrintWriter err = command.getErr();
    String sentence = SafeText.terminal(message(wrong), LONGEST);
    String message = sentence.endsWith(".") ? sentence : sentence + ".";
    if (List.of(arguments).contains(CommandOutput.JSON)) {
      CommandOutput.printError(command.getOut(), message);
    }
    complain(err, message);
    UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("Try: ./" + command.getCommandSpec().qualifiedName() + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  /* Of an option with several names picocli says the longest, not the one that was given. */
  private static String message(ParameterException wrong) {
    return wrong instanceof OverwrittenOptionException twice
            && twice.getOverwritten() instanceof OptionSpec option
        ? "option '" + String.join("' or '", option.names()) + "' must be given only once"
        : NO_NUMBER
            .matcher(String.valueOf(wrong.getMessage()))
            .replaceFirst(" is not a whole number");
  }

  /** Reports the error in a sentence. Returns the exit code. */
  static int explain(Throwable failure, CommandLine command) {
    PrintWriter err = command.getErr();
    String known = known(failure);
    String message = known == null ? SafeText.terminal(text(failure), LONGEST) : known;
    if (CommandOutput.isJson(command)) {
      CommandOutput.printError(command.getOut(), message);
    }
    complain(err, message);
    if (known == null && !(failure instanceof ModelMismatchException)) {
      err.println("This is a bug: please report it, with " + trace(failure) + ".");
    }
    return known == null ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.USAGE;
  }

  /* The message for a mistake that the caller can mend; null for a fault of ours. */
  private static @Nullable String known(Throwable failure) {
    if (failure instanceof UserErrorException complaint) {
      return SafeText.terminal(text(complaint), LONGEST);
    }
    if (failure instanceof InvalidPathException wrong) {
      return "'%s' cannot be the name of a file here: %s. If it is one, Java needs LC_ALL=C.UTF-8 to see it."
          .formatted(SafeText.terminal(wrong.getInput()), wrong.getReason());
    }
    if (failure instanceof OutOfMemoryError) {
      return "Java's heap of %d MiB is full: give it more, JAVA_TOOL_OPTIONS=-Xmx2g."
          .formatted(Runtime.getRuntime().maxMemory() >> 20);
    }
    return null;
  }

  private static String text(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /* In one line, which programs can search, or broken into lines for a terminal. */
  private static void complain(PrintWriter err, String message) {
    String line = "penstock: " + message;
    if (System.getProperty(TerminalWidth.PROPERTY) == null) {
      err.println(line);
    } else {
      err.println(String.join(System.lineSeparator(), LineWrap.lines(line)).strip());
    }
  }

  private static String trace(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    try {
      return Files.writeString(Files.createTempFile("penstock-", ".trace"), trace.toString())
          .toString();
    } catch (IOException full) {
      return "this: " + trace;
    }
  }
}
