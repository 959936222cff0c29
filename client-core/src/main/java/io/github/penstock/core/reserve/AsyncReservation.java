package io.github.penstock.core.reserve;

import java.util.concurrent.CompletionStage;

/** A {@link Reservation} for asynchronous clients: the same, with stages. */
public interface AsyncReservation extends ReservedCall {
  /** Ends it with a total; see {@link Reservation#settle(long)}. */
  CompletionStage<SettleResult> settle(long total);

  /** Ends it with a total for each entry; see {@link Reservation#settle(EntryTotal...)}. */
  CompletionStage<SettleResult> settle(EntryTotal... totals);

  /** Ends it: nothing was used; see {@link Reservation#cancel}. */
  CompletionStage<SettleResult> cancel();

  /** Holds what is left for as long again; see {@link Reservation#renew()}. */
  CompletionStage<SettleResult> renew();

  /** Progress; see {@link Reservation#renew(long)}. */
  CompletionStage<SettleResult> renew(long total);

  /** Renews it at a third of its time; see {@link Reservation#keepAlive}. */
  void keepAlive();

  /**
   * Ends it with its estimates unless it was ended before; see {@link Reservation#close}. The stage
   * never completes exceptionally for an outage.
   */
  CompletionStage<SettleResult> closeAsync();
}
