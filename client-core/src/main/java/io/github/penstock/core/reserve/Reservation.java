package io.github.penstock.core.reserve;

/**
 * The decision about a call under several limits, and the units that the call holds. Use it in a
 * try-with-resources block. If the call has not been settled at the end of the block, its estimates
 * are charged and its permits are released, even after an exception. To charge nothing, call {@link
 * #cancel} before the block ends. Blocking and thread-safe.
 *
 * <p>If a call is denied or undecided, its reservation holds nothing and sends nothing to the
 * server. Every method can throw a {@link io.github.penstock.core.PenstockException}. In an outage,
 * methods throw only if {@code onUnavailable} is {@code THROW}. If a reservation is not settled in
 * time, it expires and its estimates are charged.
 */
public interface Reservation extends ReservedCall, AutoCloseable {
  /**
   * Ends the reservation and reports that the call used {@code total} units of each reserved rate
   * limit.
   *
   * @param total the number of used units, 0 to 10^12. Units above the estimate are also charged,
   *     even if they exceed the limit
   */
  SettleResult settle(long total);

  /**
   * Ends the reservation and reports a total for each entry. If an entry has no total, its estimate
   * is charged.
   *
   * @throws IllegalArgumentException if an entry does not belong to this call or occurs twice
   */
  SettleResult settle(EntryTotal total, EntryTotal... others);

  /**
   * Ends the reservation without charging further units. Units that an earlier {@link #renew(long)}
   * reported stay charged.
   */
  SettleResult cancel();

  /** Renews the reservation for another full period, without reporting used units. */
  SettleResult renew();

  /**
   * Reports that the call has so far used {@code total} units of each reserved rate limit. The
   * remaining units are held for another full period.
   *
   * @param total the number of units used so far, 0 to 10^12
   */
  SettleResult renew(long total);

  /** Renews the reservation in the background, three times per period, until it ends or expires. */
  void keepAlive();

  /**
   * Ends the reservation. Each entry is charged its estimate or the units reported so far,
   * whichever is larger. Does nothing if the reservation has already ended. Never throws in an
   * outage. In that case, listeners receive the failure and the reservation expires.
   */
  @Override
  void close();
}
