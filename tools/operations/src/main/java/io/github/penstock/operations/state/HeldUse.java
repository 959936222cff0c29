package io.github.penstock.operations.state;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.reservation.HeldSummary;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The meaning of a key's state of reservations, by their model.
 *
 * @param tiers the usage of each tier; empty for {@code concurrency}
 * @param held units, by the time in µs at which they run out
 */
public record HeldUse(List<TierUse> tiers, SortedMap<Long, Long> held) {
  /**
   * Reads a key.
   *
   * @throws UserErrorException if {@code reserve} stores no such value there
   */
  public static HeldUse of(KeyName name, StoredKey stored) {
    if (stored.value() == null) {
      return new HeldUse(List.of(), new TreeMap<>());
    }
    try {
      HeldSummary summary =
          HeldSummary.read(stored.value(), name.script(), name.tiers(), stored.nowUs());
      List<TierUse> tiers =
          summary.tiers().stream()
              .map(tier -> TierUse.exact(tier.used(), tier.remaining(), 0, tier.unusedInUs()))
              .toList();
      return new HeldUse(tiers, summary.held());
    } catch (IllegalArgumentException foreign) {
      throw new UserErrorException(
          "the key holds what reserve does not write, so calls on it fail with `state`: reset the key.",
          foreign);
    }
  }
}
