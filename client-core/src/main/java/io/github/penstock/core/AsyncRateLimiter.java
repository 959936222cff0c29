package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A {@link RateLimiter} for asynchronous clients: the same operations, bounds and failures, with
 * stages as results.
 *
 * <p>An argument out of bounds, or a call after {@code close()}, throws at once; every other
 * failure of a {@link RateLimiter} completes the stage exceptionally. A stage completes within the
 * deadline, except one of {@link #acquire}; its dependents may run on the client's thread and must
 * not block it.
 *
 * <p>Cancelling a stage, by {@code toCompletableFuture().cancel(true)}, abandons the call: a call
 * that was not sent yet is never sent, and one that was sent may have been charged. Listeners are
 * not notified. Safe for use by several threads.
 */
public interface AsyncRateLimiter {
  /** The policy's name, as passed to {@link AsyncRateLimiters#asyncLimiter}. */
  String policy();

  /** The limit of each subject. */
  Limit limit();

  /** Requests one unit; {@link #tryAcquire(String, long)} with a cost of 1. */
  default CompletionStage<Decision> tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Requests {@code cost} units; see {@link RateLimiter#tryAcquire(String, long)}.
   *
   * @param cost units, 1 to 10^12
   */
  CompletionStage<Decision> tryAcquire(String subject, long cost);

  /**
   * Requests {@code cost} units and completes when they are granted, or when waiting cannot help;
   * see {@link RateLimiter#acquire}. No thread is blocked. Cancelling the stage leaves the queue.
   *
   * @param cost units, 1 to 10^12
   * @param atMost 0 to 366 days
   */
  CompletionStage<Decision> acquire(String subject, long cost, Duration atMost);

  /**
   * Requests up to {@code max} units; see {@link RateLimiter#tryAcquireUpTo}.
   *
   * @param max units, 1 to 10^12
   */
  CompletionStage<AcquiredUnits> tryAcquireUpTo(String subject, long max);

  /**
   * Requests one unit for each subject; see {@link RateLimiter#tryAcquireAll}. The stage itself
   * never completes exceptionally: each outcome holds the failure of its own call.
   */
  CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects);

  /**
   * Like {@link #tryAcquireAll}, with a cost for each call; see {@link RateLimiter#tryAcquireEach}.
   */
  CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> calls);

  /** Returns the current usage of the limit without charging or writing anything. */
  CompletionStage<Usage> peek(String subject);

  /**
   * Refunds units to all tiers, but no more than have been used; see {@link RateLimiter#refund} for
   * late refunds.
   *
   * @param units 1 to 10^12
   */
  CompletionStage<Usage> refund(String subject, long units);

  /** Refunds everything: a refund of 10^12 units. */
  default CompletionStage<Usage> reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
