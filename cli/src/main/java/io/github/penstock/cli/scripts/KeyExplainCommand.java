package io.github.penstock.cli.scripts;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.operations.node.NodeConnection;
import io.github.penstock.operations.node.NodeSearch;
import io.github.penstock.operations.state.DropInUse;
import io.github.penstock.operations.state.KeyName;
import io.github.penstock.operations.state.ProtocolUse;
import io.github.penstock.operations.state.StoredKey;
import io.github.penstock.operations.state.TierUse;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains in words what is stored under a key. */
@Command(
    name = "explain",
    header = "Explains a key: what is used, what remains, and when all of it is free again.",
    description = {
      "The name of a key that follows the protocol's convention contains most of its limit. A window's"
          + " name lacks the units, and a bucket's does not say whether it is a token or a leaky bucket: add"
          + " --limit. For a drop-in's key, give --drop-in. Nothing is changed. In a cluster the key's"
          + " owner is asked."
    },
    mixinStandardHelpOptions = true)
final class KeyExplainCommand implements Runnable {
  private static final int LONGEST = 400;
  @Mixin private final DeploymentOptions deployment = new DeploymentOptions();
  @Mixin private final CommandOutput output = new CommandOutput();

  @Parameters(index = "0", paramLabel = "KEY", description = "the key.")
  private String key = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "KEY2",
      description = "the second key of a drop-in that has two.")
  private @Nullable String second;

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      description = "the limit that callers have, such as token-bucket:100/1m,burst=20.")
  private @Nullable String limit;

  @Option(
      names = "--drop-in",
      paramLabel = "NAME:N,N...",
      description =
          "the drop-in that wrote the key, and its numbers: counter:limit,"
              + " token-batches:capacity,tokens,interval, rate-burst:rate,capacity,"
              + " prorate-leaky-bucket:leak_rate,capacity, redis-bucket:flow,burst,flow,burst...")
  private @Nullable String dropIn;

  @Override
  public void run() {
    if (limit != null && dropIn != null) {
      throw new UserErrorException("give --limit or --drop-in, not both.");
    }
    try (NodeConnection owner = new NodeSearch(deployment.access()).owner(key)) {
      KeyExplanation explanation = dropIn == null ? ofProtocol(owner) : ofDropIn(owner, dropIn);
      output.print(explanation::lines, explanation.values());
    }
  }

  private KeyExplanation ofDropIn(NodeConnection owner, String text) {
    DropInUse use = DropInUse.parse(text);
    StoredKey stored = StoredKey.on(owner, key, use.secondKey(key, second));
    String name = use.script().scriptName();
    return new KeyExplanation(stored, name, name, use.of(stored));
  }

  private KeyExplanation ofProtocol(NodeConnection owner) {
    ProtocolUse use = limit == null ? ProtocolUse.named(key) : ProtocolUse.under(limit(limit), key);
    StoredKey stored = StoredKey.on(owner, key, null);
    boolean either = limit == null && use.algorithm() == ScriptAlgorithm.TOKEN_BUCKET;
    String script = either ? "token-bucket or leaky-bucket" : use.algorithm().scriptName();
    String about =
        KeyName.parse(key)
            .map(known -> "policy %s, subject %s, ".formatted(known.policy(), known.subject()))
            .orElse("");
    List<TierUse> tiers = use.at(stored.nowUs(), stored.value());
    return new KeyExplanation(stored, script, SafeText.terminal(about + script, LONGEST), tiers);
  }

  private static Limit limit(String text) {
    try {
      return Limits.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new UserErrorException(
          "--limit: " + SafeText.terminal(String.valueOf(wrong.getMessage()), LONGEST), wrong);
    }
  }
}
