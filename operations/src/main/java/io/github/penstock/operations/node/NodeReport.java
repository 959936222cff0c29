package io.github.penstock.operations.node;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * The state of a server, and what was done to it.
 *
 * @param problem a sentence; null if it answered all that it was asked
 */
public record NodeReport(
    HostAndPort address, boolean isPrimary, List<ItemState> items, @Nullable String problem) {
  /** Copies the list. */
  public NodeReport {
    items = List.copyOf(items);
  }

  /** True if it has everything. */
  public boolean isComplete() {
    return problem == null && items.stream().noneMatch(ItemState::isMissing);
  }

  public String role() {
    return isPrimary ? "primary" : "replica";
  }

  /** The state of the server, in a few words. */
  public String summary() {
    if (problem != null) {
      return "see below";
    }
    long has = items.stream().filter(item -> !item.isMissing()).count();
    long loaded = items.stream().filter(ItemState::loaded).count();
    return "has %d of %d%s"
        .formatted(has, items.size(), loaded == 0 ? "" : ", " + loaded + " loaded now");
  }

  /** The faults, a sentence each. */
  public List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    if (problem != null) {
      complaints.add(problem);
    }
    String lacking =
        items.stream()
            .filter(item -> item.found() == null)
            .map(ItemState::name)
            .collect(Collectors.joining(", "));
    if (!lacking.isEmpty()) {
      complaints.add(address + " lacks " + lacking + ".");
    }
    items.stream()
        .filter(item -> item.found() != null && item.isMissing())
        .map(item -> "%s has another %s, of SHA1 %s.".formatted(address, item.name(), item.found()))
        .forEach(complaints::add);
    return complaints;
  }
}
