package io.github.penstock.core.reserve;

import java.util.concurrent.CompletionStage;

/** A {@link Reservation} for asynchronous clients: the same operations, with stages. */
public interface AsyncReservation extends ReservedCall {
  /** Ends it with a total; see {@link Reservation#settle(long)}. */
  CompletionStage<SettleResult> settle(long total);

  /** Ends it with a total for each entry; see {@link Reservation#settle(EntryTotal...)}. */
  CompletionStage<SettleResult> settle(EntryTotal... totals);

  /** Ends it without using anything; see {@link Reservation#cancel}. */
  CompletionStage<SettleResult> cancel();

  /** Holds the remaining units for another full period; see {@link Reservation#renew()}. */
  CompletionStage<SettleResult> renew();

  /** Reports progress; see {@link Reservation#renew(long)}. */
  CompletionStage<SettleResult> renew(long total);

  /** Renews it after each third of its time; see {@link Reservation#keepAlive}. */
  void keepAlive();

  /**
   * Ends it with its estimates unless it was ended before; see {@link Reservation#close}. The stage
   * never completes exceptionally for an outage.
   */
  CompletionStage<SettleResult> closeAsync();
}
