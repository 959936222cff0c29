package io.github.penstock.core.internal.hold;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.reserve.ReservationEvent.Kind;
import io.github.penstock.core.reserve.SettleResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The units that one reservation holds, and its settlements; null if nothing must be sent. Safe for
 * use by several threads.
 *
 * <p>A settlement that failed may be made again, since totals are sent and not differences; but
 * closing does not make it again, so that an outage costs one deadline.
 */
final class HeldCall {
  private final ReservationPlan plan;
  private final ReservationAnswer answer;
  private final List<EntryCost> holders;
  private final long[] totals;
  private boolean ending;
  private boolean ended;

  /**
   * What a settlement says. Immutable.
   *
   * @param kind the event if it succeeds
   * @param totals the total use of each entry that reserves
   */
  record SettleRequest(Kind kind, List<Long> totals) {
    boolean ends() {
      return kind != Kind.RENEWED;
    }
  }

  HeldCall(ReservationPlan plan, ReservationAnswer answer) {
    this.plan = plan;
    this.answer = answer;
    holders = answer.allowed() && answer.enforced() ? plan.holders() : List.of();
    totals = new long[holders.size()];
    ended = holders.isEmpty();
  }

  ReservationPlan plan() {
    return plan;
  }

  ReservationAnswer answer() {
    return answer;
  }

  @Nullable SettleRequest settle(long total) {
    checkTotal(total);
    return end(Kind.SETTLED, entry -> total);
  }

  @Nullable SettleRequest settle(EntryTotal named, EntryTotal... others) {
    Map<EntryCost, Long> byEntry = new HashMap<>();
    List<EntryTotal> all = new ArrayList<>(List.of(others));
    all.add(0, named);
    for (EntryTotal each : all) {
      boolean known = plan.entries().contains(each.entry());
      if (!known || byEntry.put(each.entry(), each.total()) != null) {
        throw new IllegalArgumentException(
            "totals must name an entry of this call, each once: " + each.entry());
      }
    }
    return end(Kind.SETTLED, entry -> byEntry.getOrDefault(entry, entry.units()));
  }

  @Nullable SettleRequest cancel() {
    return end(Kind.CANCELLED, entry -> 0);
  }

  synchronized @Nullable SettleRequest close() {
    return ending ? null : end(Kind.SETTLED, EntryCost::units);
  }

  synchronized @Nullable SettleRequest renew(long total) {
    checkTotal(total);
    return ended ? null : new SettleRequest(Kind.RENEWED, grown(entry -> total));
  }

  /** Returns whether it was asked to end, or holds nothing. */
  synchronized boolean isEnding() {
    return ending || ended;
  }

  synchronized void noted(SettleRequest request, SettleResult result) {
    if (result == SettleResult.RAN_OUT || result == SettleResult.SETTLED && request.ends()) {
      ended = true;
    }
  }

  private synchronized @Nullable SettleRequest end(Kind kind, ToLongFunction<EntryCost> used) {
    ending = true;
    return ended ? null : new SettleRequest(kind, grown(used));
  }

  private static void checkTotal(long total) {
    if (total < 0 || total > Limit.MAX_UNITS) {
      throw new IllegalArgumentException(
          "total must be from 0 to " + Limit.MAX_UNITS + ": " + total);
    }
  }

  /* The server ignores a total below the largest so far, and that of a concurrency limit. */
  private List<Long> grown(ToLongFunction<EntryCost> used) {
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < totals.length; i++) {
      EntryCost entry = holders.get(i);
      if (entry.countsTotal()) {
        totals[i] = Math.max(totals[i], used.applyAsLong(entry));
      }
      all.add(totals[i]);
    }
    return all;
  }
}
