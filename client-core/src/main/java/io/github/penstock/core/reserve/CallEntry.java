package io.github.penstock.core.reserve;

import io.github.penstock.core.limit.Limit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One limit in a call and the cost of the call under it; created by a {@link NamedLimit}.
 * Immutable.
 *
 * @param limit the limit
 * @param within the member of the group; null for the group itself
 * @param mode the way in which its units are taken
 * @param units 1 to 10^12
 */
public record CallEntry(NamedLimit limit, @Nullable String within, Mode mode, long units) {
  /** The ways in which the units of an entry are taken. */
  public enum Mode {
    /** Charged at once, as by a limiter. */
    CHARGE,
    /** Held until the call is settled or the hold expires. */
    RESERVE,
    /** Charged at once under a limit that is otherwise reserved. */
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
      throw new IllegalArgumentException("limit does not take " + mode + ": " + limit);
    }
  }

  /** Returns whether it holds units of a rate, which a settlement counts. */
  public boolean countsTotal() {
    return mode == Mode.RESERVE && limit.rate() != null;
  }

  /**
   * Returns the total that this entry has used, for a settlement.
   *
   * @param total 0 to 10^12, which may exceed the reserved units
   * @throws IllegalArgumentException if it is out of bounds, or this entry has no total
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
