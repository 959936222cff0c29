package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The asynchronous variant of {@link RateLimiter}: the same operations, bounds and failures, with a
 * {@link CompletionStage} as the result.
 *
 * <p>A method throws immediately if an argument is out of bounds or if it is called after {@code
 * close()}; every other failure completes the stage exceptionally. Every stage except that of
 * {@link #acquire} completes within the deadline. Dependent actions may run on the client's thread
 * and must not block it.
 *
 * <p>Cancelling a stage with {@code toCompletableFuture().cancel(true)} abandons the call: if it
 * has not been sent yet, it is never sent; if it has been sent, it may have been charged. Listeners
 * are not notified. Thread-safe.
 */
public interface AsyncRateLimiter {
  /** Returns the policy's name, as passed to {@link AsyncRateLimiters#asyncLimiter}. */
  String policy();

  /** Returns the limit of each subject. */
  Limit limit();

  /** Requests one unit; equivalent to {@link #tryAcquire(String, long)} with a cost of 1. */
  default CompletionStage<Decision> tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Requests {@code cost} units; see {@link RateLimiter#tryAcquire(String, long)}.
   *
   * @param cost the units, 1 to 10^12
   */
  CompletionStage<Decision> tryAcquire(String subject, long cost);

  /**
   * Requests {@code cost} units; completes when they are granted, or with a denial if they cannot
   * be granted within {@code atMost}; see {@link RateLimiter#acquire}. No thread is blocked.
   * Cancelling the stage removes the call from the queue.
   *
   * @param cost the units, 1 to 10^12
   * @param atMost the longest wait, 0 to 366 days
   */
  CompletionStage<Decision> acquire(String subject, long cost, Duration atMost);

  /**
   * Requests up to {@code max} units; see {@link RateLimiter#tryAcquireUpTo}.
   *
   * @param max the maximum number of units, 1 to 10^12
   */
  CompletionStage<AcquiredUnits> tryAcquireUpTo(String subject, long max);

  /**
   * Requests one unit for each subject; see {@link RateLimiter#tryAcquireAll}. The stage itself
   * never completes exceptionally: each outcome contains the failure of its own call.
   */
  CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects);

  /**
   * Requests units for several subjects, each with its own cost; see {@link
   * RateLimiter#tryAcquireEach}.
   */
  CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> calls);

  /** Returns the current usage of the limit without charging or storing anything. */
  CompletionStage<Usage> peek(String subject);

  /**
   * Refunds units to all tiers, up to the number of used units; see {@link RateLimiter#refund} for
   * late refunds.
   *
   * @param units 1 to 10^12
   */
  CompletionStage<Usage> refund(String subject, long units);

  /** Refunds all used units; equivalent to a refund of 10^12 units. */
  default CompletionStage<Usage> reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
