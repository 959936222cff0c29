package io.github.penstock.spring.internal.request;

import io.github.penstock.core.PenstockException;
import io.github.penstock.core.reserve.AsyncReservation;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservedCall;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.spring.internal.subject.ScarceLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Units that are held until the status of the response is known. If the settlement does not reach
 * the server, they expire and are charged. Safe for use by several threads.
 *
 * @param policy for the log
 * @param call a {@link Reservation} or an {@link AsyncReservation}
 * @param charged the statuses that are charged
 */
public record HeldUnits(String policy, ReservedCall call, StatusSelection charged) {
  private static final ScarceLog LOG = new ScarceLog();

  /** Returns whether a settlement blocks its thread. */
  boolean isBlocking() {
    return call instanceof Reservation;
  }

  /** Charges or returns the held units, and waits for the result; never throws for an outage. */
  void settle(int status) {
    if (!(call instanceof Reservation reservation)) {
      settleLater(status).toCompletableFuture().join();
      return;
    }
    try {
      if (charged.has(status)) {
        reservation.close();
      } else {
        note(reservation.cancel(), null);
      }
    } catch (PenstockException | IllegalStateException failure) {
      note(SettleResult.UNDECIDED, failure);
    }
  }

  /** The non-blocking variant; the stage never fails. */
  CompletionStage<Void> settleLater(int status) {
    if (!(call instanceof AsyncReservation reservation)) {
      settle(status);
      return CompletableFuture.completedFuture(null);
    }
    try {
      CompletionStage<SettleResult> settled =
          charged.has(status) ? reservation.closeAsync() : reservation.cancel();
      return settled.handle(
          (result, failure) -> {
            note(failure == null ? result : SettleResult.UNDECIDED, failure);
            return null;
          });
    } catch (IllegalStateException closed) {
      note(SettleResult.UNDECIDED, closed);
      return CompletableFuture.completedFuture(null);
    }
  }

  private void note(SettleResult result, @Nullable Throwable failure) {
    if (result == SettleResult.UNDECIDED) {
      LOG.log(
          Level.WARNING,
          "policy "
              + policy
              + ": the units held for a request were not settled, and are charged when they expire"
              + (failure == null ? "" : ": " + failure.getMessage()));
    } else if (result == SettleResult.RAN_OUT) {
      LOG.log(
          Level.WARNING,
          "policy " + policy + ": a response came after its hold had run out and was charged");
    }
  }
}
