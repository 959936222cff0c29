package io.github.penstock.compat.suite;

import io.github.penstock.compat.plain.PlainRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.testkit.resp.RedisUrl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Limiters with a simple memory of their own in front, with or without a mistake in it. What is
 * remembered is repeated for the same cost only, and for as long as the options say.
 */
final class ForgetfulRateLimiters implements RateLimiters {
  private final RateLimiters asking;
  private final RateLimiterOptions options;
  private final @Nullable PlantedMistake mistake;
  private final Map<List<Object>, Denial> denials = new ConcurrentHashMap<>();
  private final AtomicInteger refunds = new AtomicInteger();
  private final AtomicInteger limiters = new AtomicInteger();

  private record Denial(long cost, Decision told, long sentNanos) {}

  private ForgetfulRateLimiters(
      RateLimiters asking, RateLimiterOptions options, @Nullable PlantedMistake mistake) {
    this.asking = asking;
    this.options = options;
    this.mistake = mistake;
  }

  static ForgetfulRateLimiters connect(
      RedisUrl url, RateLimiterOptions options, @Nullable PlantedMistake mistake) {
    RateLimiterOptions without = options.toBuilder().rememberDenials(Duration.ZERO).build();
    return new ForgetfulRateLimiters(PlainRateLimiters.connect(url, without), options, mistake);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return remembering(asking.limiter(policy, limit));
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    return remembering(asking.limiter(policy, limit, leasing));
  }

  @Override
  public Reservations reservations(String name, Duration keep) {
    return asking.reservations(name, keep);
  }

  @Override
  public void awaitConnected(Duration atMost) {
    asking.awaitConnected(atMost);
  }

  private RateLimiter remembering(RateLimiter limiter) {
    int number = mistake == PlantedMistake.PER_LIMITER ? limiters.incrementAndGet() : 0;
    return (RateLimiter)
        Proxy.newProxyInstance(
            RateLimiter.class.getClassLoader(),
            new Class<?>[] {RateLimiter.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "tryAcquire" -> acquired(limiter, number, arguments);
                  case "refund", "reset" -> refunded(limiter, method, arguments);
                  case "tryAcquireEach" -> each(limiter, number, arguments);
                  default -> made(limiter, method, arguments);
                });
  }

  private Decision acquired(RateLimiter limiter, int number, Object[] arguments) {
    String subject = (String) arguments[0];
    long cost = arguments.length == 1 ? 1 : (Long) arguments[1];
    List<Object> key = key(limiter, number, subject);
    Denial denial = denials.get(key);
    if (denial != null && tells(denial, cost)) {
      return denial.told;
    }
    long sent = System.nanoTime();
    int before = refunds.get();
    try {
      Decision decision = limiter.tryAcquire(subject, cost);
      if (before == refunds.get()) {
        remember(key, cost, decision, sent);
      }
      return decision;
    } catch (RuntimeException e) {
      if (mistake != PlantedMistake.LOST_IS_LEASED) {
        throw e;
      }
      return new Decision(true, 1, 0, 0, 0, 1, DecisionSource.LEASED);
    }
  }

  private boolean tells(Denial denial, long cost) {
    boolean same = denial.cost == cost || mistake == PlantedMistake.COST_LEFT_OUT;
    boolean young = System.nanoTime() - denial.sentNanos < options.rememberDenials().toNanos();
    return same && (young || mistake == PlantedMistake.FOR_GOOD);
  }

  private void remember(List<Object> key, long cost, Decision decision, long sent) {
    boolean room = denials.size() < options.mostDenials() || mistake == PlantedMistake.UNBOUNDED;
    if (!decision.allowed() && room) {
      Decision told =
          new Decision(
              false,
              decision.limit(),
              decision.remaining(),
              decision.waitMicros(),
              decision.resetMicros(),
              decision.tier(),
              DecisionSource.REMEMBERED);
      denials.put(key, new Denial(cost, told, sent));
    }
  }

  private @Nullable Object refunded(RateLimiter limiter, Method method, Object[] arguments)
      throws Throwable {
    if (mistake == PlantedMistake.DEAF_TO_REFUNDS) {
      return made(limiter, method, arguments);
    }
    if (mistake != PlantedMistake.FORGETS_ANSWERED) {
      forget();
    }
    Object answer;
    try {
      answer = made(limiter, method, arguments);
    } catch (RuntimeException e) {
      if (mistake != PlantedMistake.FORGETS_ANSWERED) {
        forget();
      }
      throw e;
    }
    if (mistake != PlantedMistake.FORGETS_BEFORE) {
      forget();
    }
    return answer;
  }

  /* One epoch for all keys: whoever asked before it does not remember. */
  private void forget() {
    if (mistake != PlantedMistake.FORGETS_BEFORE) {
      refunds.incrementAndGet();
    }
    denials.clear();
  }

  private List<Outcome> each(RateLimiter limiter, int number, Object[] arguments) {
    long sent = System.nanoTime();
    @SuppressWarnings("unchecked")
    List<SubjectCost> calls = (List<SubjectCost>) arguments[0];
    List<Outcome> outcomes = limiter.tryAcquireEach(calls);
    for (int i = 0; i < calls.size(); i++) {
      List<Object> key = key(limiter, number, calls.get(i).subject());
      remember(key, calls.get(i).cost(), outcomes.get(i).decision(), sent);
    }
    return outcomes;
  }

  private List<Object> key(RateLimiter limiter, int number, String subject) {
    Object limit = mistake == PlantedMistake.LIMIT_LEFT_OUT ? "any" : limiter.limit();
    return List.of(limiter.policy(), subject, limit, number);
  }

  private static @Nullable Object made(RateLimiter limiter, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(limiter, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void loadFunctions() {
    asking.loadFunctions();
  }

  @Override
  public NearStatistics nearStatistics() {
    NearStatistics asked = asking.nearStatistics();
    return new NearStatistics(
        denials.size(),
        asked.leasedUnits(),
        asked.usedUnits(),
        asked.expiredUnits(),
        0,
        asked.sharedCalls(),
        asked.sharedTrips());
  }

  @Override
  public void close() {
    asking.close();
  }
}
