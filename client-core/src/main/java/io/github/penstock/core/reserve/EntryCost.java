package io.github.penstock.core.reserve;

import io.github.penstock.core.limit.Limit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A limit that applies to a call, and the cost of the call under this limit. Create entries with a
 * {@link EntryLimit}. Immutable.
 *
 * @param limit the limit
 * @param within the member of the group to which the limit applies; null for the group itself
 * @param mode how the units are taken
 * @param units the number of units, 1 to 10^12
 */
public record EntryCost(EntryLimit limit, @Nullable String within, Mode mode, long units) {
  /** How an entry takes its units. */
  public enum Mode {
    /** The units are charged immediately, as with a rate limiter. */
    CHARGE,
    /** The units are held until the call is settled or the hold expires. */
    RESERVE,
    /** The units are charged immediately. Other calls can reserve units under the same limit. */
    DEBIT
  }

  /**
   * @throws IllegalArgumentException if the units are out of bounds, or if the limit does not
   *     support the mode
   */
  public EntryCost {
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

  /**
   * Returns whether the entry holds units of a rate limit. Settling the call charges these units.
   */
  public boolean countsTotal() {
    return mode == Mode.RESERVE && limit.rate() != null;
  }

  /**
   * Returns the total of this entry, to be passed to {@link Reservation#settle(EntryTotal,
   * EntryTotal...)}.
   *
   * @param total the number of used units, 0 to 10^12; it can exceed the number of reserved units
   * @throws IllegalArgumentException if the total is out of bounds, or if this entry does not
   *     reserve units of a rate limit
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
