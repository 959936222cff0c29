package io.github.penstock.operations.node;

import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * The state of a server, and the actions performed on it.
 *
 * @param warnings the effects of its settings on limits, a sentence each
 * @param aheadMicros how far its clock is ahead of this machine's; null if that is not known
 * @param problem a sentence; null if it answered all that it was asked
 */
public record NodeReport(
    HostAndPort address,
    boolean isPrimary,
    List<ItemState> items,
    List<String> warnings,
    @Nullable Long aheadMicros,
    @Nullable String problem) {
  private static final long MOST_APART_MICROS = 1_000_000;

  public NodeReport {
    items = List.copyOf(items);
    warnings = List.copyOf(warnings);
  }

  /** The warning of clocks that differ by more than a second; null if none do. */
  public static @Nullable String clockWarning(List<NodeReport> nodes) {
    List<NodeReport> known =
        nodes.stream()
            .filter(node -> node.aheadMicros != null)
            .sorted(Comparator.comparing(node -> Objects.requireNonNull(node.aheadMicros)))
            .toList();
    if (known.isEmpty()) {
      return null;
    }
    NodeReport first = known.get(0);
    NodeReport last = known.get(known.size() - 1);
    long apart =
        Objects.requireNonNull(last.aheadMicros) - Objects.requireNonNull(first.aheadMicros);
    return apart <= MOST_APART_MICROS
        ? null
        : ("The clock of %s is %s s ahead of that of %s: after a failover or a moved slot, limits"
                + " jump by as much. Synchronise them.")
            .formatted(last.address, NumberText.of(apart / 1e6, "0.0"), first.address);
  }

  public boolean isComplete() {
    return problem == null && items.stream().noneMatch(ItemState::isMissing);
  }

  public String role() {
    return isPrimary ? "primary" : "replica";
  }

  public String summary() {
    if (problem != null) {
      return "see below";
    }
    long has = items.stream().filter(item -> !item.isMissing()).count();
    long loaded = items.stream().filter(ItemState::loaded).count();
    return "has %d of %d%s"
        .formatted(has, items.size(), loaded == 0 ? "" : ", " + loaded + " loaded now");
  }

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
