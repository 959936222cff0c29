package io.github.penstock.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sees what the limiters of one {@link RateLimiters} decide: what metrics and logs hook into.
 *
 * <p>Called on the thread that has the decision, before the caller gets it, so it must be quick and
 * safe for use by several threads. What it throws goes to that thread's uncaught exception handler
 * and changes no decision. Without a listener nothing is measured.
 */
public interface RateLimitListener {
  /**
   * A call for units was decided.
   *
   * @param policy the limiter's policy
   * @param decision what the caller gets
   * @param latency from the call to the decision
   * @param cause why the server could not decide; null if it did
   */
  void onDecision(
      String policy, Decision decision, Duration latency, @Nullable RuntimeException cause);

  /**
   * A call for units failed.
   *
   * @param policy the limiter's policy
   * @param failure what the caller gets
   * @param latency from the call to the failure
   */
  default void onFailure(String policy, RuntimeException failure, Duration latency) {}
}
