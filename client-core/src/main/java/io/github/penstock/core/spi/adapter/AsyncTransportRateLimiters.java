package io.github.penstock.core.spi.adapter;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.engine.AsyncCalls;
import io.github.penstock.core.internal.engine.AsyncTransportRateLimiter;
import io.github.penstock.core.internal.hold.FutureReservations;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.internal.trips.SharedTransport;
import io.github.penstock.core.internal.waiting.ConnectionQueue;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.AsyncReservations;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * {@link TransportRateLimiters} for an adapter whose client is asynchronous: asynchronous limiters
 * through its transport, and blocking ones that wait for it. Safe for use by several threads.
 *
 * <p>Loading functions may take 10 s. Blocking limiters must not be called on the client's own
 * event loop: they would wait there, until the deadline, for an answer that only this thread can
 * read. Closing waits there in the same way, for up to 10 s.
 */
public class AsyncTransportRateLimiters extends TransportRateLimiters implements AsyncRateLimiters {
  private final AsyncCalls calls;
  private final AsyncCalls holding;

  /**
   * Limiters through {@code transport}, which needs no password.
   *
   * @param close the action of {@link #close()}
   */
  public AsyncTransportRateLimiters(
      ScriptTransport transport, RateLimiterOptions options, Runnable close) {
    this(transport, options, KnownPasswords.none(), close);
  }

  /**
   * Limiters through {@code transport}.
   *
   * @param passwords texts that exceptions must not contain
   * @param close the action of {@link #close()}
   */
  public AsyncTransportRateLimiters(
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
  public AsyncTransportRateLimiters(
      ScriptTransport transport,
      RateLimiterOptions options,
      KnownPasswords passwords,
      Runnable close,
      TimeSource time) {
    super(SharedTransport::ofAsync, transport, options, passwords, close, time);
    ConnectionQueue connections = new ConnectionQueue(time);
    Executor completing = options.completeOn();
    calls = new AsyncCalls(super.transport, failures, late, connections, time, completing);
    holding = new AsyncCalls(super.transport, failures, late, connections, time, completing);
  }

  @Override
  public final AsyncReservations asyncReservations(String name, Duration keep) {
    return new FutureReservations(
        holds(name, keep),
        (call, forUnits) -> breaker.pass(call, ReplyReader.ofOutcome(forUnits), holding.driver()),
        holding.completing() == null ? ForkJoinPool.commonPool() : holding.completing());
  }

  @Override
  public final AsyncRateLimiter asyncLimiter(String policy, Limit limit) {
    return new AsyncTransportRateLimiter(planner(policy, limit, null), calls, line);
  }

  @Override
  public final AsyncRateLimiter asyncLimiter(String policy, Limit limit, LeaseTerms leasing) {
    return new AsyncTransportRateLimiter(
        planner(policy, limit, Objects.requireNonNull(leasing, "leasing")), calls, line);
  }
}
