package io.github.penstock.operations.state;

import io.github.penstock.operations.node.NodeConnection;
import io.github.penstock.operations.node.NodeSearch;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Removes keys that follow the protocol's convention from the servers that own them.
 *
 * @param nodes where the owners are
 */
public record KeyRemoval(NodeSearch nodes) {
  private static final String SCAN_COUNT = "1000";
  private static final int LONGEST = 400;

  /**
   * Removes one key. Returns it, or nothing if it was not there.
   *
   * @throws UserErrorException if it does not follow the convention
   */
  public List<String> key(String key) {
    if (KeyName.parse(key).isEmpty()) {
      throw new UserErrorException(
          "'%s' does not follow the protocol's convention for keys, so it is not removed: if it belongs to a limit, use DEL."
              .formatted(SafeText.terminal(key, LONGEST)));
    }
    try (NodeConnection owner = nodes.owner(key)) {
      return removed(owner, key);
    }
  }

  /**
   * Removes all keys of a subject under a policy, and returns them.
   *
   * @param head {@link KeyName#beforeMarker}
   */
  public List<String> subject(String head) {
    try (NodeConnection owner = nodes.owner(head)) {
      List<String> removed = new ArrayList<>();
      for (String found : found(owner, head)) {
        removed.addAll(removed(owner, found));
      }
      return removed;
    }
  }

  /**
   * The keys that begin so, on the server that owns them all: one subject is one hash tag, and so
   * one slot.
   *
   * @param head {@link KeyName#beforeMarker}
   */
  public static SortedSet<String> found(NodeConnection owner, String head) {
    SortedSet<String> found = new TreeSet<>();
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
}
