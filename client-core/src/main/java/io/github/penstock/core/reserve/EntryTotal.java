package io.github.penstock.core.reserve;

/**
 * The total number of units that an entry used. Create it with {@link EntryCost#used}. Immutable.
 *
 * @param entry an entry that reserves units of a rate limit
 * @param total the number of used units, 0 to 10^12
 */
public record EntryTotal(EntryCost entry, long total) {
  /**
   * @throws IllegalArgumentException if the total is out of bounds, or if the entry does not
   *     reserve units of a rate limit
   */
  public EntryTotal {
    EntryCost.check("total", total, 0);
    if (!entry.countsTotal()) {
      throw new IllegalArgumentException("entry must reserve units of a rate: " + entry);
    }
  }
}
