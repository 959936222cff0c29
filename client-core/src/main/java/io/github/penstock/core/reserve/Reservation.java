package io.github.penstock.core.reserve;

/**
 * A decided call under several limits, and the units that it holds. At the end of a
 * try-with-resources block, even after an exception, a call that has not been settled is charged
 * its estimates and releases its permits; to charge nothing, call {@link #cancel} first. Blocking
 * and thread-safe.
 *
 * <p>A denied or undecided call holds nothing, and its methods send nothing. Every method may throw
 * a {@link io.github.penstock.core.PenstockException}, but in an outage only if {@code
 * onUnavailable} is {@code THROW}. A reservation that is not settled in time expires, and its
 * estimate is charged.
 */
public interface Reservation extends ReservedCall, AutoCloseable {
  /**
   * Ends the reservation; the call has used {@code total} units of each rate limit that it
   * reserves.
   *
   * @param total the units, 0 to 10^12; units above the estimate are charged as well, beyond the
   *     limit if necessary
   */
  SettleResult settle(long total);

  /**
   * Ends the reservation with a total for each entry; an entry without a total keeps its estimate.
   *
   * @throws IllegalArgumentException if an entry does not belong to this call, or occurs twice
   */
  SettleResult settle(EntryTotal... totals);

  /**
   * Ends the reservation without charging anything. Units that an earlier {@link #renew(long)}
   * reported stay charged.
   */
  SettleResult cancel();

  /** Renews the reservation for another full period, without reporting further use. */
  SettleResult renew();

  /**
   * Reports progress: the call has used {@code total} units so far of each rate limit that it
   * reserves. The rest is held for another full period.
   *
   * @param total the units, 0 to 10^12
   */
  SettleResult renew(long total);

  /** Renews the reservation in the background, three times per period, until it ends or expires. */
  void keepAlive();

  /**
   * Ends the reservation with its estimates, or with the units reported so far if that is more;
   * does nothing if it has already ended. Never throws in an outage: listeners receive the failure,
   * and the reservation expires.
   */
  @Override
  void close();
}
