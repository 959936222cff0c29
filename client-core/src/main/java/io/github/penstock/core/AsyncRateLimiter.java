package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The asynchronous variant of {@link RateLimiter}. It has the same operations, bounds and failures,
 * but its methods return a {@link CompletionStage}.
 *
 * <p>A method throws immediately if an argument is out of bounds or if the {@link
 * AsyncRateLimiters} is closed. Every other failure completes the stage exceptionally. Every stage
 * completes within the deadline, except the stage of {@link #acquire}. Dependent actions can run on
 * the client's thread, so they must not block.
 *
 * <p>Cancelling a stage with {@code toCompletableFuture().cancel(true)} abandons the call. If the
 * call has not been sent yet, it is never sent. If it has already been sent, it may be charged.
 * Listeners are not notified of a cancelled call. Thread-safe.
 */
public interface AsyncRateLimiter {
  /** Returns the name of the policy, as passed to {@link AsyncRateLimiters#asyncLimiter}. */
  String policy();

  /** Returns the limit that applies to each subject. */
  Limit limit();

  /** Requests one unit; equivalent to {@link #tryAcquire(String, long)} with a cost of 1. */
  default CompletionStage<Decision> tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Requests {@code cost} units; see {@link RateLimiter#tryAcquire(String, long)}.
   *
   * @param cost the number of units, 1 to 10^12
   */
  CompletionStage<Decision> tryAcquire(String subject, long cost);

  /**
   * Requests {@code cost} units; see {@link RateLimiter#acquire}. The stage completes when the
   * units have been taken. If they cannot be taken within {@code atMost}, the stage completes with
   * a denial. No thread is blocked. Cancelling the stage removes the call from the queue.
   *
   * @param cost the number of units, 1 to 10^12
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
   * never completes exceptionally. If a call fails, its outcome contains the failure.
   *
   * @param subjects at most 10,000
   * @throws IllegalArgumentException if there are more; none of them is charged
   */
  CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects);

  /**
   * Requests units for several subjects, each with its own cost; see {@link
   * RateLimiter#tryAcquireEach}.
   *
   * @param calls at most 10,000
   * @throws IllegalArgumentException if there are more; none of them is made
   */
  CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> calls);

  /** Returns the current usage of the limit without charging or storing anything. */
  CompletionStage<Usage> peek(String subject);

  /**
   * Refunds units to all tiers, up to the number of used units. For late refunds, see {@link
   * RateLimiter#refund}.
   *
   * @param units the number of units to refund, 1 to 10^12
   */
  CompletionStage<Usage> refund(String subject, long units);

  /** Refunds all used units; equivalent to a refund of 10^12 units. */
  default CompletionStage<Usage> reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
