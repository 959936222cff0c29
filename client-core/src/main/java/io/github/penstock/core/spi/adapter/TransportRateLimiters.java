package io.github.penstock.core.spi.adapter;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.internal.engine.BlockingCalls;
import io.github.penstock.core.internal.engine.BlockingRateLimiter;
import io.github.penstock.core.internal.engine.ClientCheck;
import io.github.penstock.core.internal.engine.LateCalls;
import io.github.penstock.core.internal.failure.FailureClassifier;
import io.github.penstock.core.internal.failure.NodeWatch;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.hold.BlockingReservations;
import io.github.penstock.core.internal.hold.HoldPolicy;
import io.github.penstock.core.internal.near.NearLayer;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.internal.plan.CallPlanner;
import io.github.penstock.core.internal.plan.CircuitBreaker;
import io.github.penstock.core.internal.plan.LimitPolicy;
import io.github.penstock.core.internal.plan.OutcomeReaders;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.internal.trips.SharedTransport;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.internal.waiting.WaitingQueue;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.connecting.ClientClosing;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.FunctionsLibrary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The limiters of an adapter: everything that a user sees, except how to connect. An adapter
 * extends this with a class that makes its transport. Safe for use by several threads.
 */
public class TransportRateLimiters implements RateLimiters {
  private static final Duration CLOSING = Duration.ofSeconds(10);
  private static final Duration LOADING = Duration.ofSeconds(10);
  private static final String CONNECTED = "connected";
  private static final int MOST_PROBED = 100;
  private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  final ScriptTransport transport;
  private final RateLimiterOptions options;
  private final LimiterEvents events;
  private final NearLayer near;
  private final TimeSource time;
  final WaitingQueue line;
  private final NodeWatch nodes;
  final FailureClassifier failures;
  final CircuitBreaker breaker;
  final LateCalls late;
  private final BlockingCalls calls;
  private final Map<String, CallPlanner> planners = new ConcurrentHashMap<>();
  private final Runnable close;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Limiters through {@code transport}, which needs no password.
   *
   * @param close the action of {@link #close()}, on a separate thread
   */
  public TransportRateLimiters(
      ScriptTransport transport, RateLimiterOptions options, Runnable close) {
    this(transport, options, KnownPasswords.none(), close);
  }

  /**
   * Limiters through {@code transport}.
   *
   * @param passwords texts that exceptions must not contain
   * @param close the action of {@link #close()}, on a separate thread
   */
  public TransportRateLimiters(
      ScriptTransport transport,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close) {
    this(transport, options, passwords, close, TimeSource.SYSTEM);
  }

  /**
   * The variant with clocks other than the machine's, for tests: all measurements, waits and
   * deadlines use {@code time}.
   */
  public TransportRateLimiters(
      ScriptTransport transport,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close,
      TimeSource time) {
    this(SharedTransport::ofBlocking, transport, options, passwords, close, time);
  }

  /**
   * The variant whose calls share trips in another way.
   *
   * @param sharing makes the transport of limiters whose calls share trips
   */
  TransportRateLimiters(
      BiFunction<ScriptTransport, TimeSource, ScriptTransport> sharing,
      ScriptTransport given,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close,
      TimeSource time) {
    this.options = options;
    this.close = close;
    this.time = time;
    transport = options.shareTrips() ? sharing.apply(given, time) : given;
    FirstClasses.load();
    line = new WaitingQueue(time);
    events = new LimiterEvents(options, time, closed);
    near = new NearLayer(options, time);
    nodes = NodeWatch.of(transport, time);
    failures =
        new FailureClassifier(transport::failure, transport::followsRedirects, nodes, passwords);
    breaker = new CircuitBreaker(options, transport::node, events, time);
    late =
        new LateCalls(
            transport,
            options.verdictConnection()
                ? transport::openCheck
                : call -> new ClientCheck(transport, time, failures),
            time,
            failures,
            events);
    calls = new BlockingCalls(transport, time, failures, late);
  }

  @Override
  public final RateLimiter limiter(String policy, Limit limit) {
    return new BlockingRateLimiter(planner(policy, limit, null), calls, line);
  }

  @Override
  public final RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    return new BlockingRateLimiter(
        planner(policy, limit, Objects.requireNonNull(leasing, "leasing")), calls, line);
  }

  @Override
  public final Reservations reservations(String name, Duration keep) {
    return new BlockingReservations(
        holds(name, keep),
        (call, forUnits) -> breaker.pass(call, ReplyReader.ofOutcome(forUnits), calls.driver()));
  }

  @Override
  public final void loadFunctions() {
    if (closed.get()) {
      throw new IllegalStateException("these limiters are closed");
    }
    try {
      TransportStages.await(
          transport.loadFunctions(FunctionsLibrary.SOURCE), time.nanos() + LOADING.toNanos(), time);
    } catch (RuntimeException e) {
      throw failures.exception("the functions were not loaded: ", e);
    }
  }

  @Override
  public final void awaitConnected(Duration atMost) {
    long endNanos = time.nanos() + atMost.toNanos();
    List<CallPlanner> made = List.copyOf(planners.values());
    for (CallPlanner planner : made.isEmpty() ? List.of(connected()) : made) {
      awaitDecision(planner, endNanos);
    }
  }

  private CallPlanner connected() {
    return plan(CONNECTED, FixedWindow.of(1, Duration.ofSeconds(1)), null);
  }

  /* The last attempt has less time than a call, and so may not find the cause that others found. */
  private void awaitDecision(CallPlanner planner, long endNanos) {
    PenstockException cause = null;
    while (true) {
      boolean cut = endNanos - time.nanos() < options.deadline().toNanos();
      try {
        planner.probe(CONNECTED, endNanos, calls.driver());
        return;
      } catch (MisconfiguredException e) {
        throw e;
      } catch (PenstockException e) {
        cause = cut && cause != null ? cause : e;
        if (closed.get() || !ConnectionBackoff.pause(time, PROBE_NANOS, endNanos)) {
          throw cause;
        }
      }
    }
  }

  @Override
  public final NearStatistics nearStatistics() {
    int openCircuits = breaker.openCircuits();
    return transport instanceof SharedTransport shared
        ? near.statistics(openCircuits, shared.sharedCalls(), shared.sharedTrips())
        : near.statistics(openCircuits, 0, 0);
  }

  @Override
  public final void close() {
    if (!closed.getAndSet(true)) {
      line.close();
      late.close();
      ClientClosing.await(close, CLOSING);
    }
  }

  /** The adapter and its options, for logs. */
  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + options + "]";
  }

  final CallPlanner planner(String policy, Limit limit, @Nullable LeaseTerms leasing) {
    CallPlanner made = plan(policy, limit, leasing);
    if (planners.size() < MOST_PROBED) {
      planners.putIfAbsent(policy, made);
    }
    return made;
  }

  private CallPlanner plan(String name, Limit limit, @Nullable LeaseTerms leasing) {
    LimitPolicy policy = new LimitPolicy(name, limit, options, time, closed);
    OutcomeReaders readers = new OutcomeReaders(policy, near, events, nodes);
    return new CallPlanner(policy, readers, breaker, leasing);
  }

  /** The state that named reservations share, blocking or asynchronous. */
  final HoldPolicy holds(String name, Duration keep) {
    return new HoldPolicy(name, keep, options, events, nodes, time, closed);
  }

  /** The transport as the limiters use it, which the adapter's tests hand to the suite. */
  protected final ScriptTransport limitersTransport() {
    return transport;
  }
}
