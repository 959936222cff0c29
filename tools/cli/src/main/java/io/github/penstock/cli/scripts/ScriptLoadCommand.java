package io.github.penstock.cli.scripts;

import io.github.penstock.operations.bundle.BundleItem;
import io.github.penstock.operations.node.BundleOnNodes;
import io.github.penstock.operations.node.NodeReport;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Loads the scripts on every server. */
@Command(
    name = "load",
    header = "Loads the scripts on every primary and replica.",
    description = {
      "A server that has them already is left alone. Afterwards each server's SHA1s are compared"
          + " with those of the bytes that ship.",
      "With --functions the library goes to every primary, and its replicas are waited for, 3 s at"
          + " most."
    },
    mixinStandardHelpOptions = true)
final class ScriptLoadCommand implements Callable<Integer> {
  @Mixin private final DeploymentOptions deployment = new DeploymentOptions();
  @Mixin private final BundleOptions bundle = new BundleOptions();
  @Mixin private final CommandOutput output = new CommandOutput();

  @Option(
      names = "--replace",
      description =
          "with --functions: replace also a library that has functions which this one lacks.")
  private boolean replace;

  @Override
  public Integer call() {
    List<BundleItem> scripts = bundle.scripts();
    BundleOnNodes nodes = new BundleOnNodes(deployment.access());
    List<NodeReport> reports =
        bundle.functions() ? nodes.withLibrary(true, replace) : nodes.withScripts(scripts, true);
    return new NodesOutput(reports).print(output);
  }
}
