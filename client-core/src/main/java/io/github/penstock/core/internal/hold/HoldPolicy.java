package io.github.penstock.core.internal.hold;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.NodeWatch;
import io.github.penstock.core.internal.hold.HeldCall.SettleRequest;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.internal.notice.LimiterEvents.UndecidedCall;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryUsage;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.ReservationEvent;
import io.github.penstock.core.reserve.ReservationEvent.Kind;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A named set of reservations: plans their calls, and converts the outcomes as the options say.
 * Immutable, safe for use by several threads.
 */
public final class HoldPolicy {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(366);
  private final String name;
  private final Duration keep;
  private final RateLimiterOptions options;
  private final LimiterEvents events;
  private final NodeWatch nodes;
  private final TimeSource time;
  private final AtomicBoolean closed;

  /**
   * The reservations {@code name}.
   *
   * @param keep 1 ms to 366 days, and at least the deadline
   * @param time the clock of deadlines, pauses and renewals
   * @param closed whether its limiters are
   * @throws IllegalArgumentException if {@code keep} is out of bounds
   */
  public HoldPolicy(
      String name,
      Duration keep,
      RateLimiterOptions options,
      LimiterEvents events,
      NodeWatch nodes,
      TimeSource time,
      AtomicBoolean closed) {
    this.name = Objects.requireNonNull(name, "name");
    if (keep.compareTo(SHORTEST) < 0 || keep.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("keep must be from 1 ms to 366 days: " + keep);
    }
    /* A call that is sent again after its receipt has run out is charged twice. */
    if (keep.compareTo(options.deadline()) < 0) {
      throw new IllegalArgumentException(
          "keep must be at least the deadline of " + options.deadline() + ": " + keep);
    }
    this.keep = keep;
    this.options = options;
    this.events = events;
    this.nodes = nodes;
    this.time = time;
    this.closed = closed;
  }

  String name() {
    return name;
  }

  Duration keep() {
    return keep;
  }

  TimeSource time() {
    return time;
  }

  ReservationPlan plan(CallId id, String group, EntryCost... entries) {
    checkOpen();
    return new ReservationPlan(options, keepMicros(), time, id, group, entries);
  }

  RepeatSchedule repeats() {
    checkOpen();
    return new RepeatSchedule(options.deadline().toNanos(), time);
  }

  ScriptCall settle(ReservationPlan plan, SettleRequest request, long deadlineNanos) {
    long micros = request.ends() ? 0 : keepMicros();
    return plan.settle(micros, request.totals(), deadlineNanos);
  }

  /**
   * Converts the outcome of a call for units.
   *
   * @param outcome the reply's list, or a {@link CallFailure}
   */
  HeldCall reserved(ReservationPlan plan, Object outcome, long begunNanos) {
    if (outcome instanceof CallFailure failure) {
      return undecided(plan, failure, begunNanos);
    }
    ReservationAnswer answer = decided(plan, outcome, begunNanos);
    publish(kind(answer.allowed()), plan, answer, begunNanos, null);
    return new HeldCall(plan, answer);
  }

  /** Converts the outcome of a settlement. */
  SettleResult settled(HeldCall held, SettleRequest request, Object outcome, long begunNanos) {
    if (outcome instanceof CallFailure failure) {
      return unsettled(held, failure, begunNanos);
    }
    events.answered();
    boolean done = held.plan().settled((List<?>) outcome);
    SettleResult result = done ? SettleResult.SETTLED : SettleResult.RAN_OUT;
    held.noted(request, result);
    publish(done ? request.kind() : Kind.RAN_OUT, held.plan(), held.answer(), begunNanos, null);
    return result;
  }

  private ReservationAnswer decided(ReservationPlan plan, Object outcome, long begunNanos) {
    ReservationAnswer answer = plan.answer((List<?>) outcome);
    events.answered();
    nodes.decided(plan.reserve(begunNanos), answer.allowed());
    return answer;
  }

  /* Allowed or denied as the options say; thrown where they do not. */
  private HeldCall undecided(ReservationPlan plan, CallFailure failure, long begunNanos) {
    RuntimeException cause = exception(failure);
    UndecidedCall chosen = events.choose(failure.kind(), cause);
    boolean allowed = chosen != null && chosen.allowed();
    ReservationAnswer answer = answer(plan, allowed);
    publish(chosen == null ? Kind.FAILED : kind(allowed), plan, answer, begunNanos, cause);
    if (chosen == null) {
      throw cause;
    }
    return new HeldCall(plan, answer);
  }

  private SettleResult unsettled(HeldCall held, CallFailure failure, long begunNanos) {
    RuntimeException cause = exception(failure);
    UndecidedCall chosen = events.choose(failure.kind(), cause);
    publish(Kind.UNDECIDED, held.plan(), held.answer(), begunNanos, cause);
    if (chosen == null) {
      throw cause;
    }
    return SettleResult.UNDECIDED;
  }

  private ReservationAnswer answer(ReservationPlan plan, boolean allowed) {
    long wait = allowed ? 0 : TimeUnit.NANOSECONDS.toMicros(options.deadline().toNanos());
    List<EntryUsage> usages =
        plan.entries().stream()
            .map(entry -> new EntryUsage(entry, capacity(entry), 0, 0, 0, 1))
            .toList();
    return new ReservationAnswer(plan.id(), allowed, false, false, wait, -1, usages);
  }

  private RuntimeException exception(CallFailure failure) {
    RuntimeException exception = failure.exception(name);
    events.failing(exception);
    return exception;
  }

  private static Kind kind(boolean allowed) {
    return allowed ? Kind.RESERVED : Kind.DENIED;
  }

  private void publish(
      Kind kind,
      ReservationPlan plan,
      ReservationAnswer answer,
      long begunNanos,
      @Nullable RuntimeException cause) {
    if (events.isHeard()) {
      Duration latency = Duration.ofNanos(time.nanos() - begunNanos);
      ReservationEvent event =
          new ReservationEvent(kind, name, plan.group(), answer, latency, cause);
      events.publish(listener -> listener.onReservation(event));
    }
  }

  private static long capacity(EntryCost entry) {
    var rate = entry.limit().rate();
    return rate == null ? entry.limit().places() : rate.tiers().get(0).capacity();
  }

  private long keepMicros() {
    return TimeUnit.NANOSECONDS.toMicros(keep.toNanos());
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("reservations " + name + ": its limiters are closed");
    }
  }
}
