package io.github.penstock.local;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.engine.LimitEncoding;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.near.TimeSource;
import io.github.penstock.core.notice.LimiterEvents;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.waiting.WaitingQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limiters in the memory of this process, without a server: for development, and for services of
 * one process whose limits may begin anew with it. They decide as the scripts do, unit for unit;
 * {@link io.github.penstock.core.Decision#source()} is {@link
 * io.github.penstock.core.DecisionSource#LOCAL}.
 *
 * <pre>{@code
 * LocalRateLimiters limiters = LocalRateLimiters.create();
 * RateLimiter api = limiters.limiter("api", TokenBucket.of(100).refill(10, Duration.ofSeconds(1)));
 * Decision decision = api.tryAcquire("user:42");
 * }</pre>
 *
 * <p>Limiters of one object share a subject as they would on a server: by policy and limit. Of the
 * options, listeners and {@code onOverload} count, which decides where a limit would have more than
 * a million subjects in use; nothing is remembered or leased, as no call takes a trip. A subject is
 * dropped some time after it is entirely unused. Every stage is complete when it is returned,
 * except one that waits. Safe for use by several threads; no lock is held across subjects.
 */
public final class LocalRateLimiters implements RateLimiters, AsyncRateLimiters {
  private static final int MOST_SUBJECTS = 1_000_000;
  private final RateLimiterOptions options;
  private final MicroClock clock;
  private final LimiterEvents events;
  private final WaitingQueue line = new WaitingQueue();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ConcurrentMap<String, SubjectTable> tables = new ConcurrentHashMap<>();

  private LocalRateLimiters(RateLimiterOptions options, TimeSource time) {
    this.options = options;
    clock = new MicroClock(time::nanos, time.wallMillis());
    events = new LimiterEvents(options.listeners());
  }

  /** Limiters with the default options. */
  public static LocalRateLimiters create() {
    return create(RateLimiterOptions.defaults());
  }

  /** Limiters with these options. */
  public static LocalRateLimiters create(RateLimiterOptions options) {
    return create(options, TimeSource.SYSTEM);
  }

  /** The same on a clock of a test. */
  static LocalRateLimiters create(RateLimiterOptions options, TimeSource time) {
    return new LocalRateLimiters(Objects.requireNonNull(options, "options"), time);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return new LocalRateLimiter(local(policy, limit), line);
  }

  /** The same as without a lease. */
  @Override
  public RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    Objects.requireNonNull(leasing, "leasing");
    return limiter(policy, limit);
  }

  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit) {
    return new LocalAsyncLimiter(
        new LocalRateLimiter(local(policy, limit), line), line, options.completeOn());
  }

  /** The same as without a lease. */
  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit, LeaseTerms leasing) {
    Objects.requireNonNull(leasing, "leasing");
    return asyncLimiter(policy, limit);
  }

  @Override
  public Reservations reservations(String name, Duration keep) {
    throw new UnsupportedOperationException("reservations need a server: " + name);
  }

  @Override
  public AsyncReservations asyncReservations(String name, Duration keep) {
    throw new UnsupportedOperationException("reservations need a server: " + name);
  }

  /** Does nothing: there is no server. */
  @Override
  public void loadFunctions() {}

  /** Returns at once: there is no server. */
  @Override
  public void awaitConnected(Duration atMost) {
    Objects.requireNonNull(atMost, "atMost");
  }

  /** Nothing is remembered or leased here. */
  @Override
  public NearStatistics nearStatistics() {
    return new NearStatistics(0, 0, 0, 0, 0);
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      line.close();
    }
  }

  /** The options, for logs. */
  @Override
  public String toString() {
    return "LocalRateLimiters[" + options + "]";
  }

  private LocalLimit local(String policy, Limit limit) {
    String marker = LimitEncoding.of(Objects.requireNonNull(limit, "limit")).marker();
    String name = options.keyPrefix(policy) + marker;
    SubjectTable table = tables.computeIfAbsent(name, absent -> new SubjectTable(MOST_SUBJECTS));
    return new LocalLimit(policy, limit, marker, table, options, events, clock, closed);
  }
}
