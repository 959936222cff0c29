package io.github.penstock.core.reserve;

/**
 * A call that was decided under its limits, and what it holds. Blocking; safe for use by several
 * threads.
 *
 * <p>Ended without a word it settles its estimates, which gives back its places. Of one that was
 * denied or undecided nothing is held, and nothing is sent. Every method may throw a {@link
 * io.github.penstock.core.PenstockException}; in an outage only where {@code onUnavailable} is
 * {@code THROW}. What is not settled in time runs out and is charged as it was estimated.
 */
public interface Reservation extends ReservedCall, AutoCloseable {
  /**
   * Ends it: each reserved rate has used {@code total} in all.
   *
   * @param total units, 0 to 10^12; what exceeds the estimate is charged as well, beyond the limit
   *     if need be
   */
  SettleResult settle(long total);

  /**
   * Ends it, with a total for each entry; one that is not named keeps its estimate.
   *
   * @throws IllegalArgumentException if an entry is not of this call, or is named twice
   */
  SettleResult settle(EntryTotal... totals);

  /** Ends it: nothing was used. What an earlier {@link #renew(long)} counted stays charged. */
  SettleResult cancel();

  /** Holds what is left for as long again as at first; nothing more was used. */
  SettleResult renew();

  /**
   * Progress: each reserved rate has used {@code total} so far; the rest is held for as long again
   * as at first.
   *
   * @param total units, 0 to 10^12
   */
  SettleResult renew(long total);

  /** Renews it at a third of its time, in the background, until it is ended or runs out. */
  void keepAlive();

  /**
   * Ends it with its estimates, or with what was settled if that is more; does nothing if it was
   * ended before. Throws nothing for an outage: listeners hear of it, and what is held runs out.
   */
  @Override
  void close();
}
