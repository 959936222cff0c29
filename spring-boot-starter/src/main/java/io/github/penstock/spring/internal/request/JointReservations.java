package io.github.penstock.spring.internal.request;

import io.github.penstock.core.Decision;
import io.github.penstock.core.http.CombinedHeaders;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.EntryUsage;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.ReservedCall;
import io.github.penstock.spring.internal.request.PolicyCall.AskedUnits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides the calls of a policy by reservations: together with another policy, all or none, or held
 * until the response is known. Safe for use by several threads.
 *
 * @param policy the name of the policy
 * @param blocking the reservations that decide calls
 * @param asynchronous the asynchronous variant; null if the client is blocking
 * @param deadline the time for which a call is retried that is denied only because of held units
 * @param charged the statuses that are charged; null if calls are charged at once
 */
record JointReservations(
    String policy,
    Reservations blocking,
    @Nullable AsyncReservations asynchronous,
    Duration deadline,
    @Nullable StatusSelection charged) {
  static final long NO_PAUSE = -1;

  /**
   * Requests all units, and waits for the answer.
   *
   * @param waits whether a call is retried that is denied only because of held units
   */
  CallVerdict reserve(String group, List<AskedUnits> units, boolean waits) {
    EntryCost[] entries = entries(units);
    long begunNanos = System.nanoTime();
    while (true) {
      Reservation call = blocking.reserve(group, entries);
      long pauseNanos = waits ? pauseNanos(call, begunNanos) : NO_PAUSE;
      if (pauseNanos == NO_PAUSE || !isPaused(pauseNanos)) {
        return verdict(call, units);
      }
    }
  }

  private static boolean isPaused(long pauseNanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(pauseNanos);
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  EntryCost[] entries(List<AskedUnits> units) {
    return units.stream().map(this::entry).toArray(EntryCost[]::new);
  }

  private EntryCost entry(AskedUnits units) {
    EntryLimit limit = EntryLimit.of(units.limit().policy(), units.limit().limit());
    String within = units.within();
    if (charged == null) {
      return within == null ? limit.charge(units.cost()) : limit.charge(within, units.cost());
    }
    return within == null ? limit.reserve(units.cost()) : limit.reserve(within, units.cost());
  }

  /**
   * The pause before a denied call is retried: returned units may be sufficient. {@link #NO_PAUSE}
   * if it is decided, or no time remains.
   */
  long pauseNanos(ReservedCall call, long begunNanos) {
    int denying = call.answer().denying();
    if (charged == null || denying < 0) {
      return NO_PAUSE;
    }
    EntryUsage usage = call.usages().get(denying);
    if (usage.held() == 0 || usage.remaining() + usage.held() < usage.entry().units()) {
      return NO_PAUSE;
    }
    long pauseNanos = call.askAgainAfter().toNanos();
    long leftNanos = deadline.toNanos() - (System.nanoTime() - begunNanos);
    return pauseNanos < leftNanos ? pauseNanos : NO_PAUSE;
  }

  CallVerdict verdict(ReservedCall call, List<AskedUnits> units) {
    List<Decision> decisions = CombinedHeaders.decisions(call.answer());
    List<PolicyAnswer> answers = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      answers.add(new PolicyAnswer(decisions.get(i), units.get(i).limit()));
    }
    boolean holds = call.allowed() && call.enforced();
    return new CallVerdict(
        answers,
        charged == null || !holds ? List.of() : List.of(new HeldUnits(policy, call, charged)),
        null);
  }
}
