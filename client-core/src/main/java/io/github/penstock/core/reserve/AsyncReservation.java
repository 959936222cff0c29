package io.github.penstock.core.reserve;

import java.util.concurrent.CompletionStage;

/**
 * The asynchronous variant of {@link Reservation}. It has the same operations, but its methods
 * return a {@link CompletionStage}.
 */
public interface AsyncReservation extends ReservedCall {
  /** Ends the reservation and reports its total; see {@link Reservation#settle(long)}. */
  CompletionStage<SettleResult> settle(long total);

  /**
   * Ends the reservation and reports a total for each entry; see {@link
   * Reservation#settle(EntryTotal, EntryTotal...)}.
   */
  CompletionStage<SettleResult> settle(EntryTotal total, EntryTotal... others);

  /** Ends the reservation without charging further units; see {@link Reservation#cancel}. */
  CompletionStage<SettleResult> cancel();

  /** Renews the reservation; see {@link Reservation#renew()}. */
  CompletionStage<SettleResult> renew();

  /**
   * Renews the reservation and reports the units used so far; see {@link Reservation#renew(long)}.
   */
  CompletionStage<SettleResult> renew(long total);

  /** Renews the reservation in the background; see {@link Reservation#keepAlive}. */
  void keepAlive();

  /**
   * Ends the reservation and charges its estimates, unless it has already ended; see {@link
   * Reservation#close}. The stage never completes exceptionally because of an outage.
   */
  CompletionStage<SettleResult> closeAsync();
}
