package io.github.penstock.core.engine;

import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.connect.ClientClosing;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.near.NearLayer;
import io.github.penstock.core.notice.LimiterNews;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.core.waiting.WaitingLine;
import io.github.penstock.scripts.FunctionsLibrary;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The limiters of an adapter: everything that a user sees, except how to connect. An adapter
 * extends this with a class that makes its port. Safe for use by several threads.
 */
public class PortRateLimiters implements RateLimiters {
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final ScriptPort port;
  private final RateLimiterOptions options;
  private final LimiterNews news;
  private final NearLayer near;
  private final WaitingLine line = new WaitingLine();
  private final BlockingCalls calls;
  private final Runnable close;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Limiters through {@code port}.
   *
   * @param close what {@link #close()} does, on a thread of its own
   */
  protected PortRateLimiters(ScriptPort port, RateLimiterOptions options, Runnable close) {
    this.port = port;
    this.options = options;
    this.close = close;
    news = new LimiterNews(options.listeners());
    near = new NearLayer(options);
    calls = new BlockingCalls(port, NodeGate.of(options, port::node, news));
  }

  @Override
  public final RateLimiter limiter(String policy, Limit limit) {
    return new BlockingRateLimiter(policy(policy, limit, null), calls, line);
  }

  @Override
  public final RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing) {
    return new BlockingRateLimiter(
        policy(policy, limit, Objects.requireNonNull(leasing, "leasing")), calls, line);
  }

  @Override
  public final void loadFunctions() {
    if (closed.get()) {
      throw new IllegalStateException("these limiters are closed");
    }
    try {
      port.loadFunctions(FunctionsLibrary.SOURCE);
    } catch (PenstockException known) {
      throw known;
    } catch (RuntimeException e) {
      throw new PenstockException("the functions were not loaded: " + CallFailure.told(e), e);
    }
  }

  @Override
  public final NearStatistics nearStatistics() {
    return near.statistics(gate().pausedNodes());
  }

  @Override
  public final void close() {
    if (!closed.getAndSet(true)) {
      line.close();
      ClientClosing.await(close, CLOSING);
    }
  }

  /** The adapter and its options, for logs. */
  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + options + "]";
  }

  /** The policy of a limiter. */
  final LimitPolicy policy(String policy, Limit limit, @Nullable LeaseTerms leasing) {
    return new LimitPolicy(policy, limit, leasing, options, near, news, closed);
  }

  /** The gate that calls pass before they are sent, blocking or not. */
  final NodeGate gate() {
    return calls.gate();
  }

  /** Who waits for units, of all limiters. */
  final WaitingLine line() {
    return line;
  }

  /** The port of the blocking limiters, which the adapter's tests hand to the suite. */
  protected final ScriptPort blockingPort() {
    return port;
  }
}
