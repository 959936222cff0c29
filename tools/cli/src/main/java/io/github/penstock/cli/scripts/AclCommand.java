package io.github.penstock.cli.scripts;

import io.github.penstock.operations.bundle.AclUser;
import io.github.penstock.operations.bundle.BundleItem;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.console.UserErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Users with the least that they need. */
@Command(
    name = "acl",
    header = "Prints ACL users, each with the fewest rights that it needs.",
    description = {
      "Choose those that you need, put a password in place of PASSWORD, and send the commands to"
          + " every server, replicas included. They are never wrapped: `| grep ^ACL` prints only the commands.",
      "docs/operations.md says what each can do and cannot."
    },
    mixinStandardHelpOptions = true)
final class AclCommand implements Runnable {
  @Mixin private final CommandOutput output = new CommandOutput();

  @Parameters(
      paramLabel = "SCRIPT",
      arity = "0..*",
      description = "scripts that the users call, drop-ins too (default: the protocol's).")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "PATTERN",
      defaultValue = "penstock:*",
      description = "the keys that the users reach (default ${DEFAULT-VALUE}); may be repeated.")
  private List<String> keys = new ArrayList<>();

  @Override
  public void run() {
    if (keys.stream().anyMatch(pattern -> !pattern.matches("\\S+"))) {
      throw new UserErrorException("--keys must be a pattern without white space.");
    }
    List<AclUser> users = AclUser.all(keys, BundleItem.named(names));
    output.print(() -> lines(users), Map.of("users", users));
  }

  private static List<String> lines(List<AclUser> users) {
    List<String> lines = new ArrayList<>();
    for (AclUser user : users) {
      lines.addAll(LineWrap.lines(user.purpose() + " (" + user.needs() + "):"));
      lines.add(user.command());
    }
    return lines;
  }
}
