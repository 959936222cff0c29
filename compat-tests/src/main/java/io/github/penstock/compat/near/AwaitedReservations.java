package io.github.penstock.compat.near;

import io.github.penstock.core.failure.TransportStages;
import io.github.penstock.core.reserve.AsyncReservation;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.CallEntry;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Asynchronous reservations, whose stages are waited for. */
record AwaitedReservations(AsyncReservations async) implements Reservations {
  @Override
  public String name() {
    return async.name();
  }

  @Override
  public Duration keep() {
    return async.keep();
  }

  @Override
  public Reservation reserve(CallId id, String group, CallEntry... entries) {
    return new AwaitedReservation(awaited(async.reserve(id, group, entries)));
  }

  private static <T> T awaited(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw TransportStages.failure(e);
    }
  }

  private record AwaitedReservation(AsyncReservation call) implements Reservation {
    @Override
    public ReservationAnswer answer() {
      return call.answer();
    }

    @Override
    public SettleResult settle(long total) {
      return awaited(call.settle(total));
    }

    @Override
    public SettleResult settle(EntryTotal... totals) {
      return awaited(call.settle(totals));
    }

    @Override
    public SettleResult cancel() {
      return awaited(call.cancel());
    }

    @Override
    public SettleResult renew() {
      return awaited(call.renew());
    }

    @Override
    public SettleResult renew(long total) {
      return awaited(call.renew(total));
    }

    @Override
    public void keepAlive() {
      call.keepAlive();
    }

    @Override
    public void close() {
      awaited(call.closeAsync());
    }
  }
}
