package io.github.penstock.cli.scripts;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.operations.node.NodeConnection;
import io.github.penstock.operations.node.NodeSearch;
import io.github.penstock.operations.state.DropInUse;
import io.github.penstock.operations.state.HeldKeyName;
import io.github.penstock.operations.state.HeldUse;
import io.github.penstock.operations.state.KeyName;
import io.github.penstock.operations.state.KeyRemoval;
import io.github.penstock.operations.state.ProtocolUse;
import io.github.penstock.operations.state.StoredKey;
import io.github.penstock.operations.state.TierUse;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains the value under a key in words. */
@Command(
    name = "explain",
    header = "Explains a key: what is used, what remains, and when all of it is free again.",
    description = {
      "--policy and --subject in place of a key explain all keys of a subject.",
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

  @Parameters(index = "0", arity = "0..1", paramLabel = "KEY", description = "the key.")
  private @Nullable String key;

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

  @Mixin private final SubjectOptions subject = new SubjectOptions();

  @Override
  public void run() {
    if (limit != null && dropIn != null) {
      throw new UserErrorException("give --limit or --drop-in, not both.");
    }
    String head = subject.headInsteadOf(key);
    try (NodeConnection owner = new NodeSearch(deployment.access()).owner(head)) {
      if (key == null) {
        List<KeyExplanation> all =
            KeyRemoval.found(owner, head).stream()
                .map(each -> ofProtocol(owner, each, hasLimit(each) ? limit : null))
                .toList();
        output.print(
            () -> lines(all), Map.of("keys", all.stream().map(KeyExplanation::values).toList()));
      } else {
        KeyExplanation explanation =
            dropIn == null ? ofProtocol(owner, key, limit) : ofDropIn(owner, key, dropIn);
        output.print(explanation::lines, explanation.values());
      }
    }
  }

  /* Of the keys of a subject some may be from before a limit was changed, or of another algorithm. */
  private boolean hasLimit(String key) {
    return limit != null && ProtocolUse.isOf(limit(limit), key);
  }

  private static List<String> lines(List<KeyExplanation> all) {
    return all.isEmpty()
        ? List.of("Nothing is stored, so nothing is used.")
        : all.stream().flatMap(each -> each.lines().stream()).toList();
  }

  private KeyExplanation ofDropIn(NodeConnection owner, String key, String text) {
    DropInUse use = DropInUse.parse(text);
    StoredKey stored = StoredKey.on(owner, key, use.secondKey(key, second));
    String name = use.script().scriptName();
    return new KeyExplanation(stored, name, name, use.of(stored), List.of());
  }

  private static KeyExplanation ofHeld(NodeConnection owner, HeldKeyName name, String key) {
    StoredKey stored = StoredKey.on(owner, key, null);
    HeldUse use = HeldUse.of(name, stored);
    String about =
        "policy %s, subject %s, reserved under %s"
            .formatted(name.policy(), name.subject(), name.script());
    return new KeyExplanation(
            stored, name.script(), SafeText.terminal(about, LONGEST), use.tiers(), List.of())
        .holding(use.held());
  }

  private static KeyExplanation ofProtocol(
      NodeConnection owner, String key, @Nullable String limit) {
    Optional<HeldKeyName> held = HeldKeyName.parse(key);
    if (held.isPresent()) {
      /* The key of a reservation contains its numbers; the option is for keys of another form. */
      return ofHeld(owner, held.get(), key);
    }
    ProtocolUse use = limit == null ? ProtocolUse.named(key) : ProtocolUse.under(limit(limit), key);
    StoredKey stored = StoredKey.on(owner, key, null);
    boolean either = limit == null && use.algorithm() == ScriptAlgorithm.TOKEN_BUCKET;
    String script = either ? "token-bucket or leaky-bucket" : use.algorithm().scriptName();
    String about =
        KeyName.parse(key)
            .map(known -> "policy %s, subject %s, ".formatted(known.policy(), known.subject()))
            .orElse("");
    List<TierUse> tiers = use.at(stored.nowUs(), stored.value());
    return new KeyExplanation(
        stored,
        script,
        SafeText.terminal(about + script, LONGEST),
        tiers,
        use.oneCall(stored.nowUs(), stored.value()));
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
