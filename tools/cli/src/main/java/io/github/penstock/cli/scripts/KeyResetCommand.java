package io.github.penstock.cli.scripts;

import io.github.penstock.operations.node.NodeSearch;
import io.github.penstock.operations.state.KeyRemoval;
import io.github.penstock.report.text.SafeText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Removes keys, so that nothing of their limits is used. */
@Command(
    name = "reset",
    header =
        "Resets a key, or all keys of a subject under a policy, so that nothing of the limit is used.",
    description = {
      "Removes only keys that follow the protocol's convention, prefix:policy:{subject}:marker,"
          + " whatever they hold. For other keys, use DEL.",
      "Calls that are under way are decided before or after that, never in between.",
      "--policy and --subject scan all keys of the server, because a key also names the limit's"
          + " numbers."
    },
    mixinStandardHelpOptions = true)
final class KeyResetCommand implements Runnable {
  @Mixin private final DeploymentOptions deployment = new DeploymentOptions();
  @Mixin private final CommandOutput output = new CommandOutput();

  @Parameters(arity = "0..1", paramLabel = "KEY", description = "the key.")
  private @Nullable String key;

  @Mixin private final SubjectOptions subject = new SubjectOptions();

  @Override
  public void run() {
    String head = subject.headInsteadOf(key);
    KeyRemoval removal = new KeyRemoval(new NodeSearch(deployment.access()));
    List<String> removed = key == null ? removal.subject(head) : removal.key(head);
    output.print(() -> lines(removed), Map.of("removed", removed));
  }

  private static List<String> lines(List<String> removed) {
    return removed.isEmpty()
        ? List.of("Nothing was stored, so nothing was used.")
        : removed.stream().map(key -> "reset " + SafeText.terminal(key, 400)).toList();
  }
}
