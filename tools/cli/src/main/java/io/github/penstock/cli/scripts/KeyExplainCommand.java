package io.github.penstock.cli.scripts;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.operations.node.NodeConnection;
import io.github.penstock.operations.node.NodeSearch;
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
          + " --limit. Nothing is changed. In a cluster the key's"
          + " owner is asked."
    },
    mixinStandardHelpOptions = true)
final class KeyExplainCommand implements Runnable {
  private static final int LONGEST = 400;
  @Mixin private final DeploymentOptions deployment = new DeploymentOptions();
  @Mixin private final CommandOutput output = new CommandOutput();

  @Parameters(index = "0", arity = "0..1", paramLabel = "KEY", description = "the key.")
  private @Nullable String key;

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      description = "the limit that callers have, such as token-bucket:100/1m,burst=20.")
  private @Nullable String limit;

  @Mixin private final SubjectOptions subject = new SubjectOptions();

  @Override
  public void run() {
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
        KeyExplanation explanation = ofProtocol(owner, key, limit);
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

  private static KeyExplanation ofHeld(NodeConnection owner, KeyName name, String key) {
    StoredKey stored = StoredKey.on(owner, key);
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
    Optional<KeyName> known = KeyName.parse(key);
    if (known.isPresent() && known.get().held()) {
      /* The key of a reservation contains its numbers; the option is for keys of another form. */
      return ofHeld(owner, known.get(), key);
    }
    ProtocolUse use = limit == null ? ProtocolUse.named(key) : ProtocolUse.under(limit(limit), key);
    StoredKey stored = StoredKey.on(owner, key);
    boolean either = limit == null && use.algorithm() == ScriptAlgorithm.TOKEN_BUCKET;
    String script = either ? KeyExplanation.EITHER : use.algorithm().scriptName();
    String about =
        known
            .map(name -> "policy %s, subject %s, ".formatted(name.policy(), name.subject()))
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
