package io.github.penstock.core.internal.hold;

import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.reserve.AsyncReservation;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/** {@link FutureReservations} whose calls block: each ends on its caller's thread. */
public final class BlockingReservations implements Reservations {
  private final HoldPolicy policy;
  private final BiFunction<ScriptCall, Boolean, Object> sending;
  private final FutureReservations reservations;

  /**
   * Reservations that send their calls so.
   *
   * @param sending sends an attempt of a call, which may be decided without its node if true, and
   *     returns a list or a {@link CallFailure}
   */
  public BlockingReservations(HoldPolicy policy, BiFunction<ScriptCall, Boolean, Object> sending) {
    this.policy = policy;
    this.sending = sending;
    reservations = new FutureReservations(policy, this::ended);
  }

  private CompletableFuture<Object> ended(LongFunction<ScriptCall> attempt, boolean forUnits) {
    RepeatSchedule repeats = policy.repeats();
    while (true) {
      Object outcome = sending.apply(attempt.apply(repeats.attemptDeadline()), forUnits);
      if (!(outcome instanceof CallFailure failure)) {
        return CompletableFuture.completedFuture(outcome);
      }
      long pause = repeats.pauseAfter(failure);
      if (pause < 0) {
        return CompletableFuture.completedFuture(repeats.last(failure));
      }
      ConnectionBackoff.pause(policy.time(), pause, policy.time().nanos() + pause);
    }
  }

  @Override
  public String name() {
    return policy.name();
  }

  @Override
  public Duration keep() {
    return policy.keep();
  }

  @Override
  public Reservation reserve(CallId id, String group, EntryCost... entries) {
    return new BlockingReservation(result(reservations.reserve(id, group, entries)));
  }

  private static <T> T result(CompletionStage<T> ended) {
    try {
      return ended.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw TransportStages.failure(e);
    }
  }

  @Override
  public String toString() {
    return reservations.toString();
  }

  private record BlockingReservation(AsyncReservation held) implements Reservation {
    @Override
    public ReservationAnswer answer() {
      return held.answer();
    }

    @Override
    public SettleResult settle(long total) {
      return result(held.settle(total));
    }

    @Override
    public SettleResult settle(EntryTotal total, EntryTotal... others) {
      return result(held.settle(total, others));
    }

    @Override
    public SettleResult cancel() {
      return result(held.cancel());
    }

    @Override
    public SettleResult renew() {
      return result(held.renew());
    }

    @Override
    public SettleResult renew(long total) {
      return result(held.renew(total));
    }

    @Override
    public void keepAlive() {
      held.keepAlive();
    }

    @Override
    public void close() {
      result(held.closeAsync());
    }

    @Override
    public String toString() {
      return held.toString();
    }
  }
}
