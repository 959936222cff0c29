package io.github.penstock.test;

import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.test.LossyTransport.ServerState;
import java.time.Duration;
import java.util.List;

/**
 * Limiters for an application's own tests: the real ones, on a server in this process that runs the
 * shipped scripts. Its clock is the test's, remembered denials and leases included, and it is down
 * when the test says so.
 *
 * <pre>{@code
 * TestRateLimiters limiters = TestRateLimiters.create();
 * RateLimiter login = limiters.limiter("login", FixedWindow.of(5, Duration.ofHours(1)));
 * login.tryAcquire("ann", 5);
 * assertThat(login.tryAcquire("ann")).isDenied().hasRetryAfter(Duration.ofHours(1));
 * limiters.clock().advance(Duration.ofHours(1));
 * assertThat(login.tryAcquire("ann")).isAllowed();
 * limiters.down();
 * assertThatThrownBy(() -> login.tryAcquire("ann")).isInstanceOf(NoDecisionException.class);
 * }</pre>
 *
 * <p>All limits, batches, reservations and concurrency limits work, blocking and asynchronous, with
 * every option. {@link io.github.penstock.core.RateLimiter#acquire} and the deadline of a call use
 * the machine's clock: a call that waits for units while this clock stands still waits in vain.
 * Safe for use by several threads, one call at a time.
 */
public final class TestRateLimiters extends AsyncTransportRateLimiters {
  /* Longer than denials are remembered, units leased and circuits open. */
  private static final Duration LONGEST_MEMORY = Duration.ofHours(2);
  private static final Duration LONGEST_SHARE = Duration.ofDays(366);
  private final LossyTransport transport;
  private final TestClock clock;
  private final CallRecorder recorder;

  private TestRateLimiters(
      LossyTransport transport,
      RateLimiterOptions options,
      TestClock clock,
      CallRecorder recorder) {
    super(
        transport,
        options.toBuilder().listener(recorder).build(),
        KnownPasswords.none(),
        () -> {},
        clock.ofProcess());
    this.transport = transport;
    this.clock = clock;
    this.recorder = recorder;
  }

  /** Limiters with the default options, on a server without keys. */
  public static TestRateLimiters create() {
    return create(RateLimiterOptions.defaults());
  }

  /** Limiters with these options, on a server without keys. */
  public static TestRateLimiters create(RateLimiterOptions options) {
    TestClock clock = new TestClock();
    LossyTransport transport = LossyTransport.to(new LossyTransport.LossyServer(clock), options);
    return new TestRateLimiters(transport, options, clock, new CallRecorder());
  }

  /**
   * Returns limiters with other options on the same server, like another process: clock, outages
   * and recorded calls are shared, remembered denials and leases are not.
   */
  public TestRateLimiters with(RateLimiterOptions options) {
    return new TestRateLimiters(
        LossyTransport.to(transport.server(), options), options, clock, recorder);
  }

  /**
   * Begins afresh: nothing is charged, remembered, leased or recorded, the clock is at its start,
   * and the server is up. The charges of a process's share of a limit are forgotten if the limit
   * forgets within a year.
   */
  public void reset() {
    boolean shared =
        recorder.calls().stream()
            .map(RecordedCall::decision)
            .anyMatch(decision -> decision != null && decision.source() == DecisionSource.LOCAL);
    clock.restart(shared ? LONGEST_SHARE : LONGEST_MEMORY);
    transport.server().forget();
    up();
    recorder.clear();
  }

  /** The clock of the server and of local decisions. */
  public TestClock clock() {
    return clock;
  }

  /** From now on every call is answered, and takes no time. */
  public void up() {
    transport.server().set(ServerState.UP, Duration.ZERO);
  }

  /** From now on no call reaches the server: it is an outage, and nothing is charged. */
  public void down() {
    transport.server().set(ServerState.DOWN, Duration.ZERO);
  }

  /**
   * From now on each call moves the clock by this time before it reaches the server. As long as the
   * deadline or longer, it is charged and not answered in time.
   *
   * @param latency not negative
   * @throws IllegalArgumentException if it is negative
   */
  public void slow(Duration latency) {
    if (latency.isNegative()) {
      throw new IllegalArgumentException("latency must not be negative: " + latency);
    }
    transport.server().set(ServerState.UP, latency);
  }

  /**
   * From now on each call is charged and its answer is lost: an outage, and a {@link
   * io.github.penstock.core.MayHaveBeenChargedException} where that is thrown.
   */
  public void mayHaveBeenCharged() {
    transport.server().set(ServerState.ANSWERS_LOST, Duration.ZERO);
  }

  /** Returns the calls so far, in the order in which they ended. */
  public List<RecordedCall> calls() {
    return recorder.calls();
  }

  /** Forgets the calls so far. */
  public void clearCalls() {
    recorder.clear();
  }
}
