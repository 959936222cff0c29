package io.github.penstock.cli.scripts;

import io.github.penstock.cli.node.NodeConnection;
import io.github.penstock.cli.node.NodeSearch;
import io.github.penstock.cli.state.KeyName;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
  private static final String SCAN_COUNT = "1000";
  @Mixin private final DeploymentOptions deployment = new DeploymentOptions();
  @Mixin private final CommandOutput output = new CommandOutput();

  @Parameters(arity = "0..1", paramLabel = "KEY", description = "the key.")
  private @Nullable String key;

  @Option(names = "--policy", paramLabel = "POLICY", description = "instead of a key: the policy.")
  private @Nullable String policy;

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      description = "with --policy: the subject, as callers write it.")
  private @Nullable String subject;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = "penstock",
      description = "the prefix of the policy's keys (default ${DEFAULT-VALUE}).")
  private String prefix = "";

  @Override
  public void run() {
    List<String> removed = key == null ? ofSubject() : one(key);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("removed", removed);
    output.print(() -> lines(removed), values);
  }

  private List<String> one(String key) {
    if (policy != null || subject != null) {
      throw new UserErrorException("give a key, or --policy and --subject, not both.");
    }
    if (KeyName.parse(key).isEmpty()) {
      throw new UserErrorException(
          "'%s' does not follow the protocol's convention for keys, so it is not removed: if it belongs to a limit, use DEL."
              .formatted(SafeText.terminal(key, 400)));
    }
    try (NodeConnection owner = new NodeSearch(deployment.access()).owner(key)) {
      return removed(owner, key);
    }
  }

  private List<String> ofSubject() {
    if (policy == null || subject == null) {
      throw new UserErrorException("give a key, or both --policy and --subject.");
    }
    String head = KeyName.beforeMarker(prefix, policy, subject);
    // One subject is one hash tag, and so one slot: its keys have one owner.
    try (NodeConnection owner = new NodeSearch(deployment.access()).owner(head)) {
      List<String> removed = new ArrayList<>();
      for (String found : found(owner, head)) {
        removed.addAll(removed(owner, found));
      }
      return removed;
    }
  }

  private static TreeSet<String> found(NodeConnection owner, String head) {
    TreeSet<String> found = new TreeSet<>();
    String pattern = head.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0") + "*";
    String cursor = "0";
    do {
      Object page = owner.expect("SCAN", cursor, "MATCH", pattern, "COUNT", SCAN_COUNT);
      List<?> parts = page instanceof List<?> answer ? answer : List.of("0", List.of());
      cursor = String.valueOf(parts.get(0));
      if (parts.get(1) instanceof List<?> keys) {
        keys.stream()
            .map(key -> text(String.valueOf(key)))
            .filter(key -> KeyName.parse(key).isPresent())
            .forEach(found::add);
      }
    } while (!cursor.equals("0"));
    return found;
  }

  private static String text(String latin) {
    return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static List<String> removed(NodeConnection owner, String key) {
    return Long.valueOf(1).equals(owner.expect("DEL", key)) ? List.of(key) : List.of();
  }

  private static List<String> lines(List<String> removed) {
    return removed.isEmpty()
        ? List.of("Nothing was stored, so nothing was used.")
        : removed.stream().map(key -> "reset " + SafeText.terminal(key, 400)).toList();
  }
}
