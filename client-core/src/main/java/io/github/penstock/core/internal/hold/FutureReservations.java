package io.github.penstock.core.internal.hold;

import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.hold.HeldCall.SettleRequest;
import io.github.penstock.core.internal.waiting.DaemonThreads;
import io.github.penstock.core.reserve.AsyncReservation;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reservations whose calls are asynchronous; each is sent until it is answered or its time is over.
 */
public final class FutureReservations implements AsyncReservations {
  private static final int RENEWALS_IN_TIME = 3;
  private final HoldPolicy policy;
  private final RepeatedCalls calls;

  /**
   * Sends attempts of a call, each with a deadline, until one is answered or the call's time is
   * over; the outcome is the last. A call for units may be decided without its node.
   */
  interface RepeatedCalls {
    CompletableFuture<Object> outcome(LongFunction<ScriptCall> attempt, boolean forUnits);
  }

  /**
   * Reservations that send their calls so.
   *
   * @param sending sends an attempt of a call, which may be decided without its node if true; the
   *     outcome is a list or a {@link CallFailure}
   * @param repeating where a call is sent again, and its stage may complete
   */
  public FutureReservations(
      HoldPolicy policy,
      BiFunction<ScriptCall, Boolean, CompletableFuture<Object>> sending,
      Executor repeating) {
    this(
        policy,
        (attempt, forUnits) ->
            sent(
                policy,
                policy.repeats(),
                deadline -> sending.apply(attempt.apply(deadline), forUnits),
                repeating));
  }

  FutureReservations(HoldPolicy policy, RepeatedCalls calls) {
    this.policy = policy;
    this.calls = calls;
  }

  private static CompletableFuture<Object> sent(
      HoldPolicy policy,
      RepeatSchedule repeats,
      LongFunction<CompletableFuture<Object>> attempt,
      Executor repeating) {
    return attempt
        .apply(repeats.attemptDeadline())
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
                      .thenCompose(nothing -> sent(policy, repeats, attempt, repeating));
            });
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
  public CompletionStage<AsyncReservation> reserve(CallId id, String group, EntryCost... entries) {
    long begunNanos = policy.time().nanos();
    ReservationPlan plan = policy.plan(id, group, entries);
    CompletableFuture<AsyncReservation> result = new CompletableFuture<>();
    read(
            calls.outcome(plan::reserve, true),
            outcome -> new FutureReservation(policy.reserved(plan, outcome, begunNanos)))
        .whenComplete(
            (reservation, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (!result.complete(reservation)) {
                reservation.cancel();
              }
            });
    return result;
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

  @Override
  public String toString() {
    return "reservations " + name() + " for " + keep();
  }

  private final class FutureReservation implements AsyncReservation {
    private final HeldCall held;

    FutureReservation(HeldCall held) {
      this.held = held;
    }

    @Override
    public ReservationAnswer answer() {
      return held.answer();
    }

    @Override
    public CompletionStage<SettleResult> settle(long total) {
      return settled(held.settle(total));
    }

    @Override
    public CompletionStage<SettleResult> settle(EntryTotal total, EntryTotal... others) {
      return settled(held.settle(total, others));
    }

    @Override
    public CompletionStage<SettleResult> cancel() {
      return settled(held.cancel());
    }

    @Override
    public CompletionStage<SettleResult> renew() {
      return renew(0);
    }

    @Override
    public CompletionStage<SettleResult> renew(long total) {
      return settled(held.renew(total));
    }

    private CompletableFuture<SettleResult> settled(@Nullable SettleRequest request) {
      if (request == null) {
        return CompletableFuture.completedFuture(SettleResult.NOTHING_HELD);
      }
      long begunNanos = policy.time().nanos();
      return read(
          calls.outcome(deadline -> policy.settle(held.plan(), request, deadline), false),
          outcome -> policy.settled(held, request, outcome, begunNanos));
    }

    @Override
    public void keepAlive() {
      if (!held.isEnding()) {
        long at = policy.time().nanos() + policy.keep().toNanos() / RENEWALS_IN_TIME;
        policy.time().at(at, DaemonThreads.RENEWING).execute(this::renewAgain);
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
      return settled(held.close())
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
}
