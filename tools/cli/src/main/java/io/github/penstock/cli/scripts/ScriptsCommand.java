package io.github.penstock.cli.scripts;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The scripts on running servers. */
@Command(
    name = "scripts",
    header = "Loads and checks the scripts on running servers; explains and resets keys.",
    description = {
      "Exit codes, for deploy scripts: 0 everything is in order; 1 a bug in this program; 2 something"
          + " that you can fix, such as an option, a password or a server that is down; 3 the servers"
          + " were reached, but one of them lacks what it should have.",
      "--redis takes the URI of a single server, a cluster or Sentinel, as the Java adapters do."
    },
    subcommands = {
      ScriptListCommand.class,
      ScriptLoadCommand.class,
      ScriptVerifyCommand.class,
      AclCommand.class,
      KeyExplainCommand.class,
      KeyResetCommand.class
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class ScriptsCommand implements Callable<Integer> {
  /** A server lacks an item. */
  static final int INCOMPLETE = 3;

  private static final int USAGE = 2;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return USAGE;
  }
}
