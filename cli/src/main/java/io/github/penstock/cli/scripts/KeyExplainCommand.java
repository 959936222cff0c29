package io.github.penstock.cli.scripts;

import io.github.penstock.cli.node.NodeConnection;
import io.github.penstock.cli.node.NodeSearch;
import io.github.penstock.cli.state.DropInUse;
import io.github.penstock.cli.state.KeyName;
import io.github.penstock.cli.state.ProtocolUse;
import io.github.penstock.cli.state.StoredKey;
import io.github.penstock.cli.state.TierUse;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.ServerClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is stored under a key, in words. */
@Command(
    name = "explain",
    header = "Says what a key's value means now: used, remaining, when nothing is used any more.",
    description = {
      "A key of the protocol's convention says most by its name. A window's name lacks its limit,"
          + " a bucket's does not say which of the two it is, and other keys say nothing: --script"
          + " and --tier do. Nothing is changed. In a cluster the key's owner is asked.",
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

  @Option(names = "--script", paramLabel = "SCRIPT", description = "the script that wrote it.")
  private @Nullable String script;

  @Option(
      names = "--tier",
      paramLabel = "N,N...",
      description =
          "the numbers of one tier, in the script's order; once for each. Of a drop-in those that"
              + " say its limit: counter limit; token-batches capacity,tokens,interval; rate-burst"
              + " rate,capacity; prorate-leaky-bucket leak_rate,capacity; redis-bucket flow,burst.")
  private List<String> tiers = new ArrayList<>();

  @Override
  public void run() {
    try (NodeConnection owner = new NodeSearch(deployment.access()).owner(key)) {
      KeyExplanation explanation = explanation(owner);
      output.print(explanation::lines, explanation.values());
    }
  }

  private KeyExplanation explanation(NodeConnection owner) {
    DropInScript dropIn =
        Stream.of(DropInScript.values())
            .filter(each -> each.scriptName().equals(script))
            .findAny()
            .orElse(null);
    return dropIn == null ? ofProtocol(owner) : ofDropIn(owner, dropIn);
  }

  private KeyExplanation ofDropIn(NodeConnection owner, DropInScript dropIn) {
    StoredKey stored = stored(owner, DropInUse.secondKey(dropIn, key, second));
    List<Double> numbers = numbers().stream().flatMap(List::stream).toList();
    List<TierUse> uses =
        new DropInUse(dropIn, numbers, Arrays.asList(stored.value(), stored.second()))
            .at(stored.nowUs() / 1e6, stored.ttlMs() / 1e3);
    return new KeyExplanation(stored, dropIn.scriptName(), dropIn.scriptName(), uses);
  }

  private StoredKey stored(NodeConnection owner, @Nullable String other) {
    return new StoredKey(
        key,
        value(owner, key),
        other == null ? null : value(owner, other),
        owner.integer("PTTL", key),
        ServerClock.nowUs(owner));
  }

  private static @Nullable String value(NodeConnection owner, String key) {
    Object value = owner.expect("GET", key);
    return value == null ? null : value.toString();
  }

  private KeyExplanation ofProtocol(NodeConnection owner) {
    Optional<KeyName> name = KeyName.parse(key);
    ProtocolUse use = use(name);
    StoredKey stored = stored(owner, null);
    String title =
        name.filter(known -> script == null)
            .map(known -> title(known.algorithm()))
            .orElse(use.algorithm().scriptName());
    String about =
        name.map(known -> "policy %s, subject %s, ".formatted(known.policy(), known.subject()))
            .orElse("");
    return new KeyExplanation(
        stored,
        title,
        SafeText.terminal(about + title, LONGEST),
        use.at(stored.nowUs(), stored.value()));
  }

  private static String title(ScriptAlgorithm algorithm) {
    return algorithm == ScriptAlgorithm.TOKEN_BUCKET
        ? "token-bucket or leaky-bucket"
        : algorithm.scriptName();
  }

  private ProtocolUse use(Optional<KeyName> name) {
    if (name.isEmpty() && (script == null || tiers.isEmpty())) {
      throw new UserErrorException(
          "'%s' does not follow the protocol's convention for keys: give --script and --tier."
              .formatted(SafeText.terminal(key, LONGEST)));
    }
    ScriptAlgorithm algorithm = script == null ? name.orElseThrow().algorithm() : named(script);
    if (tiers.isEmpty()) {
      return new ProtocolUse(algorithm, fitting(algorithm, name.orElseThrow()));
    }
    int width = algorithm.tierArguments().size();
    List<List<Long>> given =
        numbers().stream().map(tier -> tier.stream().map(Double::longValue).toList()).toList();
    if (given.stream().anyMatch(tier -> tier.size() != width)) {
      throw new UserErrorException(
          "--tier of %s must be %s."
              .formatted(algorithm.scriptName(), String.join(",", algorithm.tierArguments())));
    }
    return new ProtocolUse(algorithm, given);
  }

  private static List<List<Long>> fitting(ScriptAlgorithm algorithm, KeyName name) {
    boolean same = title(algorithm).equals(title(name.algorithm()));
    boolean leaky =
        algorithm == ScriptAlgorithm.LEAKY_BUCKET
            && name.algorithm() == ScriptAlgorithm.TOKEN_BUCKET;
    if (!same && !leaky) {
      throw new UserErrorException(
          "%s does not write under such a key: correct --script, or give --tier."
              .formatted(algorithm.scriptName()));
    }
    return name.tiers();
  }

  private static ScriptAlgorithm named(String script) {
    try {
      return ScriptAlgorithm.named(script);
    } catch (IllegalArgumentException unknown) {
      throw new UserErrorException(
          "--script must be one that `penstock scripts list` names, and %s is none."
              .formatted(SafeText.terminal(script)),
          unknown);
    }
  }

  private List<List<Double>> numbers() {
    try {
      return tiers.stream()
          .map(tier -> Arrays.stream(tier.split(",", -1)).map(Double::valueOf).toList())
          .toList();
    } catch (NumberFormatException wrong) {
      throw new UserErrorException(
          "--tier must be numbers with commas between them, such as 100,10,1000000.", wrong);
    }
  }
}
