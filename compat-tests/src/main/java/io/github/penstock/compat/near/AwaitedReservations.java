package io.github.penstock.compat.near;

import static io.github.penstock.compat.load.AsyncResults.value;

import io.github.penstock.core.reserve.AsyncReservation;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import java.time.Duration;

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
  public Reservation reserve(CallId id, String group, EntryCost... entries) {
    return new AwaitedReservation(value(async.reserve(id, group, entries)));
  }

  private record AwaitedReservation(AsyncReservation call) implements Reservation {
    @Override
    public ReservationAnswer answer() {
      return call.answer();
    }

    @Override
    public SettleResult settle(long total) {
      return value(call.settle(total));
    }

    @Override
    public SettleResult settle(EntryTotal total, EntryTotal... others) {
      return value(call.settle(total, others));
    }

    @Override
    public SettleResult cancel() {
      return value(call.cancel());
    }

    @Override
    public SettleResult renew() {
      return value(call.renew());
    }

    @Override
    public SettleResult renew(long total) {
      return value(call.renew(total));
    }

    @Override
    public void keepAlive() {
      call.keepAlive();
    }

    @Override
    public void close() {
      value(call.closeAsync());
    }
  }
}
