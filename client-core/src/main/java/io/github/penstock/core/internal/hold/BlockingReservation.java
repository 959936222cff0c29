package io.github.penstock.core.internal.hold;

import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.SettleResult;

/** A reservation whose settlements block. */
final class BlockingReservation implements Reservation {
  private final BlockingReservations reservations;
  private final HeldCall held;

  BlockingReservation(BlockingReservations reservations, HeldCall held) {
    this.reservations = reservations;
    this.held = held;
  }

  @Override
  public ReservationAnswer answer() {
    return held.answer();
  }

  @Override
  public SettleResult settle(long total) {
    return reservations.settle(held, held.settle(total));
  }

  @Override
  public SettleResult settle(EntryTotal total, EntryTotal... others) {
    return reservations.settle(held, held.settle(total, others));
  }

  @Override
  public SettleResult cancel() {
    return reservations.settle(held, held.cancel());
  }

  @Override
  public SettleResult renew() {
    return renew(0);
  }

  @Override
  public SettleResult renew(long total) {
    return reservations.settle(held, held.renew(total));
  }

  @Override
  public void keepAlive() {
    if (!held.isEnding()) {
      reservations.renewLater(this::renewAgain);
    }
  }

  private void renewAgain() {
    try {
      if (!held.isEnding()) {
        renew();
        keepAlive();
      }
    } catch (PenstockException e) {
      keepAlive();
    } catch (IllegalStateException closed) {
      return;
    }
  }

  @Override
  public void close() {
    try {
      reservations.settle(held, held.close());
    } catch (NoDecisionException | OverloadedException unsettled) {
      return; // listeners have heard of it
    }
  }

  @Override
  public String toString() {
    return "reservation " + answer();
  }
}
