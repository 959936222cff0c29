package io.github.penstock.core.reserve;

import java.util.concurrent.CompletionStage;

/**
 * The asynchronous variant of {@link Reservation}: the same operations, with a {@link
 * CompletionStage} as the result.
 */
public interface AsyncReservation extends ReservedCall {
  /** Ends the reservation with a total; see {@link Reservation#settle(long)}. */
  CompletionStage<SettleResult> settle(long total);

  /**
   * Ends the reservation with a total for each entry; see {@link
   * Reservation#settle(EntryTotal...)}.
   */
  CompletionStage<SettleResult> settle(EntryTotal... totals);

  /** Ends the reservation without charging anything; see {@link Reservation#cancel}. */
  CompletionStage<SettleResult> cancel();

  /** Renews the reservation; see {@link Reservation#renew()}. */
  CompletionStage<SettleResult> renew();

  /** Reports progress; see {@link Reservation#renew(long)}. */
  CompletionStage<SettleResult> renew(long total);

  /** Renews the reservation in the background; see {@link Reservation#keepAlive}. */
  void keepAlive();

  /**
   * Ends the reservation with its estimates unless it has already ended; see {@link
   * Reservation#close}. An outage never completes the stage exceptionally.
   */
  CompletionStage<SettleResult> closeAsync();
}
