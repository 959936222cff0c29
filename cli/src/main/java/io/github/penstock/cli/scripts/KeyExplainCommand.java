package io.github.penstock.cli.scripts;

import io.github.penstock.cli.node.NodeConnection;
import io.github.penstock.cli.node.NodeSearch;
import io.github.penstock.cli.state.DropInUse;
import io.github.penstock.cli.state.KeyName;
import io.github.penstock.cli.state.ProtocolUse;
import io.github.penstock.cli.state.StoredKey;
import io.github.penstock.cli.state.TierUse;
import io.github.penstock.core.engine.LimitEncoding;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.ServerClock;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
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
      "The name of a key that follows the protocol's convention tells most of its limit. A window's"
          + " name lacks the units, and a bucket's does not tell a token bucket from a leaky one: add"
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
    StoredKey stored = stored(owner, use.secondKey(key, second));
    String name = use.script().scriptName();
    return new KeyExplanation(stored, name, name, use.of(stored));
  }

  private KeyExplanation ofProtocol(NodeConnection owner) {
    Optional<KeyName> name = KeyName.parse(key);
    ProtocolUse use = limit == null ? byName(name) : byLimit(limit, name);
    StoredKey stored = stored(owner, null);
    boolean either = limit == null && use.algorithm() == ScriptAlgorithm.TOKEN_BUCKET;
    String script = either ? "token-bucket or leaky-bucket" : use.algorithm().scriptName();
    String about =
        name.map(known -> "policy %s, subject %s, ".formatted(known.policy(), known.subject()))
            .orElse("");
    List<TierUse> tiers = use.at(stored.nowUs(), stored.value());
    return new KeyExplanation(stored, script, SafeText.terminal(about + script, LONGEST), tiers);
  }

  private ProtocolUse byName(Optional<KeyName> name) {
    return name.map(known -> new ProtocolUse(known.algorithm(), known.tiers()))
        .orElseThrow(
            () ->
                new UserErrorException(
                    "'%s' does not follow the protocol's convention for keys: give --limit or --drop-in."
                        .formatted(SafeText.terminal(key, LONGEST))));
  }

  private ProtocolUse byLimit(String text, Optional<KeyName> name) {
    LimitEncoding encoding = encoding(text);
    if (name.isPresent() && !key.endsWith(":" + encoding.marker())) {
      throw new UserErrorException(
          "a key of that limit ends in :%s: correct --limit, or the key."
              .formatted(encoding.marker()));
    }
    ScriptAlgorithm algorithm = ScriptAlgorithm.named(encoding.script().scriptName());
    int width = algorithm.tierArguments().size();
    List<Long> numbers = encoding.arguments().stream().map(Long::valueOf).toList();
    List<List<Long>> tiers =
        IntStream.range(0, numbers.size() / width)
            .mapToObj(tier -> numbers.subList(tier * width, (tier + 1) * width))
            .toList();
    return new ProtocolUse(algorithm, tiers);
  }

  private static LimitEncoding encoding(String text) {
    try {
      return LimitEncoding.of(Limits.parse(text));
    } catch (IllegalArgumentException wrong) {
      throw new UserErrorException(
          "--limit: " + SafeText.terminal(String.valueOf(wrong.getMessage()), LONGEST), wrong);
    }
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
}
