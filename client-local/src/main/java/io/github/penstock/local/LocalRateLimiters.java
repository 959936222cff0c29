package io.github.penstock.local;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.local.internal.LocalAsyncLimiter;
import io.github.penstock.local.internal.LocalRateLimiter;
import io.github.penstock.local.internal.MemoryServer;
import io.github.penstock.local.internal.MemoryTransport;
import io.github.penstock.local.internal.MicroClock;
import io.github.penstock.local.internal.SharedKeys;
import io.github.penstock.local.internal.SubjectTable;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Limiters in the memory of this process, without a server: for development, and for single-process
 * services whose limits may reset on restart. Their decisions equal those of the scripts, unit for
 * unit; {@link io.github.penstock.core.Decision#source()} is {@link
 * io.github.penstock.core.DecisionSource#LOCAL}.
 *
 * <pre>{@code
 * LocalRateLimiters limiters = LocalRateLimiters.create();
 * RateLimiter api = limiters.limiter("api", TokenBucket.of(100).refill(10, Duration.ofSeconds(1)));
 * Decision decision = api.tryAcquire("user:42");
 * }</pre>
 *
 * <p>Limiters of one object share a subject as on a server: by policy and limit. Of the options,
 * only listeners and {@code onOverload} apply; the latter decides when a limit would have more than
 * a million subjects in use. No denials are remembered and no units leased, because calls take no
 * round trip. A subject is dropped some time after it becomes entirely unused. Every stage is
 * complete when it is returned, except one that waits. Safe for use by several threads; no lock is
 * held across subjects.
 */
public final class LocalRateLimiters implements RateLimiters, AsyncRateLimiters {
  private static final int MOST_SUBJECTS = 1_000_000;
  private final RateLimiterOptions options;
  private final TimeSource time;
  private final MicroClock clock;
  private final LimiterEvents events;
  private final WaitingQueue line;
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable MemoryLimiters holding;
  private final ConcurrentMap<String, SubjectTable> tables = new ConcurrentHashMap<>();

  private LocalRateLimiters(RateLimiterOptions options, TimeSource time) {
    this.options = options;
    this.time = time;
    line = new WaitingQueue(time);
    clock = new MicroClock(time::nanos, time.wallMillis());
    events = new LimiterEvents(options, time, closed);
  }

  /** Returns limiters with the default options. */
  public static LocalRateLimiters create() {
    return create(RateLimiterOptions.defaults());
  }

  /** Returns limiters with these options. */
  public static LocalRateLimiters create(RateLimiterOptions options) {
    return create(options, TimeSource.SYSTEM);
  }

  /** Returns limiters with these options on a test's clock. */
  static LocalRateLimiters create(RateLimiterOptions options, TimeSource time) {
    return new LocalRateLimiters(Objects.requireNonNull(options, "options"), time);
  }

  @Override
  public RateLimiter limiter(String policy, Limit limit) {
    return local(policy, limit);
  }

  /** Returns the limiter without a lease. */
  @Override
  public RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    Objects.requireNonNull(leasing, "leasing");
    return limiter(policy, limit);
  }

  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit) {
    return new LocalAsyncLimiter(local(policy, limit), line, options.completeOn());
  }

  /** Returns the limiter without a lease. */
  @Override
  public AsyncRateLimiter asyncLimiter(String policy, Limit limit, LeaseTerms leasing) {
    Objects.requireNonNull(leasing, "leasing");
    return asyncLimiter(policy, limit);
  }

  /**
   * {@inheritDoc}
   *
   * <p>For tests and development: the scripts run in this process, by LuaJ, which must be on the
   * class path. Their charges under a limit share the counts of limiters of the same policy.
   *
   * @throws IllegalStateException if LuaJ is missing
   */
  @Override
  public Reservations reservations(String name, Duration keep) {
    return holding().reservations(name, keep);
  }

  /** Like {@link #reservations}. */
  @Override
  public AsyncReservations asyncReservations(String name, Duration keep) {
    return holding().asyncReservations(name, keep);
  }

  private synchronized MemoryLimiters holding() {
    if (closed.get()) {
      throw new IllegalStateException("these limiters are closed");
    }
    if (holding == null) {
      holding = holdingOrThrow();
    }
    return holding;
  }

  /** Does nothing, because no server is involved. */
  @Override
  public void loadFunctions() {}

  /** Returns at once, because no server is involved. */
  @Override
  public void awaitConnected(Duration atMost) {
    Objects.requireNonNull(atMost, "atMost");
  }

  /** Returns zeros, because no denials are remembered and no units leased. */
  @Override
  public NearStatistics nearStatistics() {
    return new NearStatistics(0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public synchronized void close() {
    if (!closed.getAndSet(true)) {
      line.close();
      if (holding != null) {
        holding.close();
      }
    }
  }

  /** The options, for logs. */
  @Override
  public String toString() {
    return "LocalRateLimiters[" + options + "]";
  }

  private LocalRateLimiter local(String policy, Limit limit) {
    String marker = LimitEncoding.of(Objects.requireNonNull(limit, "limit")).marker();
    String name = options.keyPrefix(policy) + marker;
    return new LocalRateLimiter(
        policy, limit, marker, table(name), options, events, time, clock, line, closed);
  }

  private MemoryLimiters holdingOrThrow() {
    try {
      return new MemoryLimiters(new SharedKeys(clock, this::table), options, time);
    } catch (NoClassDefFoundError missing) {
      throw new IllegalStateException(
          "reservations in memory need org.luaj:luaj-jse:3.0.1 on the class path", missing);
    }
  }

  /** The limiters of core on an in-process server, on which reservations are made. */
  private static final class MemoryLimiters extends AsyncTransportRateLimiters {
    MemoryLimiters(SharedKeys keys, RateLimiterOptions options, TimeSource time) {
      super(
          new MemoryTransport(new MemoryServer(keys)),
          options,
          KnownPasswords.none(),
          () -> {},
          time);
    }
  }

  private SubjectTable table(String name) {
    return tables.computeIfAbsent(name, absent -> new SubjectTable(MOST_SUBJECTS));
  }
}
