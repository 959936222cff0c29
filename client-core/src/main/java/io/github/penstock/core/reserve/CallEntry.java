package io.github.penstock.core.reserve;

import io.github.penstock.core.limit.Limit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a call and the call's cost under it; created by a {@link NamedLimit}. Immutable.
 *
 * @param limit the limit
 * @param within the member of the group; null for the group itself
 * @param mode how the units are taken
 * @param units the units, 1 to 10^12
 */
public record CallEntry(NamedLimit limit, @Nullable String within, Mode mode, long units) {
  /** How an entry takes its units. */
  public enum Mode {
    /** Charged at once, as by a limiter. */
    CHARGE,
    /** Held until the call is settled or the hold expires. */
    RESERVE,
    /** Charged at once, under a limit that other calls reserve from. */
    DEBIT
  }

  /**
   * @throws IllegalArgumentException if the units are out of bounds, or the limit does not support
   *     the mode
   */
  public CallEntry {
    Objects.requireNonNull(limit, "limit");
    check("units", units, 1);
    Limit rate = limit.rate();
    boolean taken =
        switch (mode) {
          case CHARGE -> rate != null;
          case RESERVE -> rate == null || rate.kind().holds();
          case DEBIT -> rate != null && rate.kind().holds();
        };
    if (!taken) {
      throw new IllegalArgumentException("limit does not support " + mode + ": " + limit);
    }
  }

  /** Returns whether the entry holds units of a rate limit, which a settlement charges. */
  public boolean countsTotal() {
    return mode == Mode.RESERVE && limit.rate() != null;
  }

  /**
   * Returns the total that this entry used, for a settlement.
   *
   * @param total 0 to 10^12, which may exceed the reserved units
   * @throws IllegalArgumentException if the total is out of bounds, or this entry has no total
   */
  public EntryTotal used(long total) {
    return new EntryTotal(this, total);
  }

  static void check(String name, long units, long least) {
    if (units < least || units > Limit.MAX_UNITS) {
      throw new IllegalArgumentException(
          name + " must be from " + least + " to " + Limit.MAX_UNITS + ": " + units);
    }
  }
}
