package io.github.penstock.core.internal.hold;

import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.reserve.AsyncReservation;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.core.spi.TransportFailure;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A reservation whose settlements are asynchronous. */
final class FutureReservation implements AsyncReservation {
  private final FutureReservations reservations;
  private final HeldCall held;

  FutureReservation(FutureReservations reservations, HeldCall held) {
    this.reservations = reservations;
    this.held = held;
  }

  @Override
  public ReservationAnswer answer() {
    return held.answer();
  }

  @Override
  public CompletionStage<SettleResult> settle(long total) {
    return reservations.settle(held, held.settle(total));
  }

  @Override
  public CompletionStage<SettleResult> settle(EntryTotal total, EntryTotal... others) {
    return reservations.settle(held, held.settle(total, others));
  }

  @Override
  public CompletionStage<SettleResult> cancel() {
    return reservations.settle(held, held.cancel());
  }

  @Override
  public CompletionStage<SettleResult> renew() {
    return renew(0);
  }

  @Override
  public CompletionStage<SettleResult> renew(long total) {
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
        renew().whenComplete(this::renewedAgain);
      }
    } catch (IllegalStateException closed) {
      return;
    }
  }

  private void renewedAgain(@Nullable SettleResult result, @Nullable Throwable failure) {
    if (failure == null || TransportFailure.unwrapped(failure) instanceof PenstockException) {
      keepAlive();
    }
  }

  @Override
  public CompletionStage<SettleResult> closeAsync() {
    return reservations
        .settle(held, held.close())
        .exceptionally(
            thrown -> {
              RuntimeException failure = TransportStages.failure(thrown);
              if (failure instanceof NoDecisionException
                  || failure instanceof OverloadedException) {
                return SettleResult.UNDECIDED;
              }
              throw failure;
            });
  }

  @Override
  public String toString() {
    return "reservation " + answer();
  }
}
