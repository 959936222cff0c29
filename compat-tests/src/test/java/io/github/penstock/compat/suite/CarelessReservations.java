package io.github.penstock.compat.suite;

import io.github.penstock.compat.plain.PlainRateLimiters;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryTotal;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.testkit.resp.RedisUrl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Limiters whose reservations have a mistake, or none. */
final class CarelessReservations implements RateLimiters {
  private final RateLimiters asking;
  private final @Nullable PlantedMistake mistake;

  private CarelessReservations(RateLimiters asking, @Nullable PlantedMistake mistake) {
    this.asking = asking;
    this.mistake = mistake;
  }

  static CarelessReservations connect(
      RedisUrl url, RateLimiterOptions options, @Nullable PlantedMistake mistake) {
    return new CarelessReservations(PlainRateLimiters.connect(url, options), mistake);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return asking.limiter(policy, limit);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    return asking.limiter(policy, limit, leasing);
  }

  @Override
  public Reservations reservations(String name, Duration keep) {
    Reservations calls = asking.reservations(name, keep);
    return new Reservations() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Duration keep() {
        return keep;
      }

      @Override
      public Reservation reserve(CallId id, String group, EntryCost... entries) {
        CallId sent = mistake == PlantedMistake.OTHER_ID ? CallId.random() : id;
        return mistake == PlantedMistake.ONE_BY_ONE
            ? oneByOne(calls, group, entries)
            : careless(calls.reserve(sent, group, entries), entries);
      }
    };
  }

  /* Returns the answer of the last call. */
  private Reservation oneByOne(Reservations calls, String group, EntryCost... entries) {
    Reservation last = calls.reserve(group, entries[0]);
    for (EntryCost entry : Arrays.asList(entries).subList(1, entries.length)) {
      last = calls.reserve(group, entry);
    }
    return last;
  }

  private Reservation careless(Reservation call, EntryCost... entries) {
    return (Reservation)
        Proxy.newProxyInstance(
            Reservation.class.getClassLoader(),
            new Class<?>[] {Reservation.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "close" ->
                      mistake == PlantedMistake.CLOSES_NOTHING ? null : made(call, method);
                  case "cancel" -> cancelled(call, entries);
                  case "settle" -> told(call, settled(call, method, arguments, entries));
                  default -> made(call, method, arguments);
                });
  }

  private SettleResult cancelled(Reservation call, EntryCost... entries) {
    return mistake == PlantedMistake.CANCEL_CHARGES
        ? call.settle(entries[0].units())
        : call.cancel();
  }

  private Object settled(Reservation call, Method method, Object[] arguments, EntryCost... entries)
      throws Throwable {
    if (mistake == PlantedMistake.NEVER_BEYOND && arguments[0] instanceof Long total) {
      return call.settle(Math.min(total, entries[0].units()));
    }
    if (mistake == PlantedMistake.UNNAMED_IS_FREE && arguments[0] instanceof EntryTotal first) {
      return call.settle(first, withZeros(first, (EntryTotal[]) arguments[1], entries));
    }
    return made(call, method, arguments);
  }

  private static EntryTotal[] withZeros(
      EntryTotal first, EntryTotal[] others, EntryCost... entries) {
    List<EntryTotal> all = new ArrayList<>(Arrays.asList(others));
    for (EntryCost entry : entries) {
      if (entry.countsTotal()
          && !first.entry().equals(entry)
          && all.stream().noneMatch(total -> total.entry().equals(entry))) {
        all.add(entry.used(0));
      }
    }
    return all.toArray(EntryTotal[]::new);
  }

  private Object told(Reservation call, Object result) {
    boolean late = mistake == PlantedMistake.LATE_IS_SETTLED && result == SettleResult.RAN_OUT;
    boolean undecided = mistake == PlantedMistake.UNDECIDED_IS_SETTLED && !call.enforced();
    return late || undecided ? SettleResult.SETTLED : result;
  }

  private static Object made(Reservation call, Method method, Object... arguments)
      throws Throwable {
    try {
      return method.invoke(call, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void awaitConnected(Duration atMost) {
    asking.awaitConnected(atMost);
  }

  @Override
  public void loadFunctions() {
    asking.loadFunctions();
  }

  @Override
  public NearStatistics nearStatistics() {
    return asking.nearStatistics();
  }

  @Override
  public void close() {
    asking.close();
  }
}
