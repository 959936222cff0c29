package io.github.penstock.core.reserve;

/**
 * A call that was decided under its limits, and the units that it holds. At the end of a
 * try-with-resources block, also by an exception, a call that was not settled is charged its
 * estimates and frees its places; {@link #cancel} before it charges nothing. Blocking; safe for use
 * by several threads.
 *
 * <p>A denied or undecided call holds nothing, and sends nothing. Every method may throw a {@link
 * io.github.penstock.core.PenstockException}; in an outage only if {@code onUnavailable} is {@code
 * THROW}. A reservation that is not settled in time expires and its estimate is charged.
 */
public interface Reservation extends ReservedCall, AutoCloseable {
  /**
   * Ends it: each reserved rate has used {@code total} units.
   *
   * @param total units, 0 to 10^12; the excess over the estimate is charged as well, beyond the
   *     limit if necessary
   */
  SettleResult settle(long total);

  /**
   * Ends it with a total for each entry; an entry without a total keeps its estimate.
   *
   * @throws IllegalArgumentException if an entry is not of this call, or occurs twice
   */
  SettleResult settle(EntryTotal... totals);

  /**
   * Ends it without using anything. Units that an earlier {@link #renew(long)} counted stay
   * charged.
   */
  SettleResult cancel();

  /** Holds the remaining units for another full period, without counting further use. */
  SettleResult renew();

  /**
   * Reports progress: each reserved rate has used {@code total} so far; the rest is held for
   * another full period.
   *
   * @param total units, 0 to 10^12
   */
  SettleResult renew(long total);

  /** Renews it in the background after each third of its time, until it is ended or expires. */
  void keepAlive();

  /**
   * Ends it with its estimates, or with the units counted so far if that is more; does nothing if
   * it was ended before. Never throws for an outage: listeners receive the failure, and the
   * reservation expires.
   */
  @Override
  void close();
}
