package io.github.penstock.core.internal.hold;

import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.reserve.CallEntry;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reservations whose calls block; each is sent until it is answered or its time is over. */
public final class BlockingReservations implements Reservations {
  private final HoldPolicy policy;
  private final CallSender<Object> calls;

  /** Reservations that send their calls so. */
  public BlockingReservations(HoldPolicy policy, CallSender<Object> calls) {
    this.policy = policy;
    this.calls = calls;
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
  public Reservation reserve(CallId id, String group, CallEntry... entries) {
    long begunNanos = policy.time().nanos();
    ReservationPlan plan = policy.plan(id, group, entries);
    Object outcome = outcome(plan::reserve, true);
    return new BlockingReservation(this, policy.reserved(plan, outcome, begunNanos));
  }

  SettleResult settle(HeldCall held, @Nullable SettleRequest request) {
    if (request == null) {
      return SettleResult.NOTHING_HELD;
    }
    long begunNanos = policy.time().nanos();
    Object outcome = outcome(deadline -> policy.settle(held.plan(), request, deadline), false);
    return policy.settled(held, request, outcome, begunNanos);
  }

  private Object outcome(LongFunction<ScriptCall> making, boolean forUnits) {
    RepeatSchedule repeats = policy.repeats();
    while (true) {
      long deadline = repeats.attemptDeadline();
      Object outcome = calls.send(making.apply(deadline), forUnits);
      if (!(outcome instanceof CallFailure failure)) {
        return outcome;
      }
      long pause = repeats.pauseAfter(failure);
      if (pause < 0) {
        return repeats.last(failure);
      }
      ConnectionBackoff.pause(policy.time(), pause, policy.time().nanos() + pause);
    }
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
