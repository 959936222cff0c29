package io.github.penstock.cli.scripts;

import io.github.penstock.operations.bundle.BundleItem;
import io.github.penstock.operations.node.BundleOnNodes;
import io.github.penstock.operations.node.NodeReport;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks whether every server has the scripts. */
@Command(
    name = "verify",
    header = "Says whether every primary and replica has the scripts, and can be relied on.",
    description = {
      "Changes nothing. The exit code is 3 if a server lacks one, does not answer, has a Lua that is not exact, or"
          + " is a Redis 6.0 with lua-replicate-commands no.",
      "Warns of a policy that evicts keys, of clocks that differ by more than a second, and of a user without client|setinfo."
    },
    mixinStandardHelpOptions = true)
final class ScriptVerifyCommand implements Callable<Integer> {
  @Mixin private final DeploymentOptions deployment = new DeploymentOptions();
  @Mixin private final BundleOptions bundle = new BundleOptions();
  @Mixin private final CommandOutput output = new CommandOutput();

  @Override
  public Integer call() {
    List<BundleItem> scripts = bundle.scripts();
    BundleOnNodes nodes = new BundleOnNodes(deployment.access());
    List<NodeReport> reports =
        bundle.functions() ? nodes.withLibrary(false, false) : nodes.withScripts(scripts, false);
    return new NodesOutput(reports).print(output);
  }
}
