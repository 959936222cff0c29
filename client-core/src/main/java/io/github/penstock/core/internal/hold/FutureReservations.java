package io.github.penstock.core.internal.hold;

import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.reserve.AsyncReservation;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.CallEntry;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reservations whose calls are asynchronous; each is sent as {@link BlockingReservations} does. */
public final class FutureReservations implements AsyncReservations {
  private final HoldPolicy policy;
  private final CallSender<CompletableFuture<Object>> calls;
  private final Executor repeating;

  /**
   * Reservations that send their calls so.
   *
   * @param repeating where a call is sent again, and its stage may complete
   */
  public FutureReservations(
      HoldPolicy policy, CallSender<CompletableFuture<Object>> calls, Executor repeating) {
    this.policy = policy;
    this.calls = calls;
    this.repeating = repeating;
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
  public CompletionStage<AsyncReservation> reserve(CallId id, String group, CallEntry... entries) {
    long begunNanos = policy.time().nanos();
    ReservationPlan plan = policy.plan(id, group, entries);
    CompletableFuture<AsyncReservation> result = new CompletableFuture<>();
    CompletableFuture<FutureReservation> reserved =
        read(
            outcome(plan::reserve, true),
            outcome -> new FutureReservation(this, policy.reserved(plan, outcome, begunNanos)));
    reserved.whenComplete(
        (reservation, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else if (!result.complete(reservation)) {
            reservation.cancel();
          }
        });
    return result;
  }

  CompletableFuture<SettleResult> settle(HeldCall held, @Nullable SettleRequest request) {
    if (request == null) {
      return CompletableFuture.completedFuture(SettleResult.NOTHING_HELD);
    }
    long begunNanos = policy.time().nanos();
    return read(
        outcome(deadline -> policy.settle(held.plan(), request, deadline), false),
        outcome -> policy.settled(held, request, outcome, begunNanos));
  }

  private CompletableFuture<Object> outcome(LongFunction<ScriptCall> making, boolean forUnits) {
    return attempt(policy.repeats(), making, forUnits);
  }

  private CompletableFuture<Object> attempt(
      RepeatSchedule repeats, LongFunction<ScriptCall> making, boolean forUnits) {
    return calls
        .send(making.apply(repeats.attemptDeadline()), forUnits)
        .thenCompose(
            outcome -> {
              if (!(outcome instanceof CallFailure failure)) {
                return CompletableFuture.completedFuture(outcome);
              }
              long pause = repeats.pauseAfter(failure);
              return pause < 0
                  ? CompletableFuture.completedFuture(repeats.last(failure))
                  : CompletableFuture.runAsync(
                          () -> {}, policy.time().at(policy.time().nanos() + pause, repeating))
                      .thenCompose(nothing -> attempt(repeats, making, forUnits));
            });
  }

  /* Unlike thenApply, this wraps no failure. */
  private static <T> CompletableFuture<T> read(
      CompletableFuture<Object> outcome, Function<Object, T> reading) {
    CompletableFuture<T> result = new CompletableFuture<>();
    outcome.whenComplete(
        (reply, failure) -> {
          try {
            if (failure != null) {
              throw TransportStages.failure(failure);
            }
            result.complete(reading.apply(reply));
          } catch (Throwable thrown) {
            result.completeExceptionally(thrown);
          }
        });
    return result;
  }

  /** Runs a renewal once, a third of the time to keep from now. */
  void renewLater(Runnable renewal) {
    RenewalTimer.schedule(policy, renewal);
  }

  @Override
  public String toString() {
    return "reservations " + name() + " for " + keep();
  }
}
