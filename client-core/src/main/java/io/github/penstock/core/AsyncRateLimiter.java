package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * {@link RateLimiter} for clients that are asynchronous by themselves: the same verbs, bounds and
 * failures, with stages.
 *
 * <p>An argument out of bounds and a call of closed limiters are thrown at once; everything else
 * that a {@link RateLimiter} throws completes the stage exceptionally. A stage completes within the
 * deadline, except one of {@link #acquire}; its dependents may run on the client's thread and must
 * not block it.
 *
 * <p>Cancelling a stage, by {@code toCompletableFuture().cancel(true)}, gives the call up: it is
 * not sent if it has not been, and may have been charged if it has. No listener hears of it. Safe
 * for use by several threads.
 */
public interface AsyncRateLimiter {
  /** The policy's name, as it was given to {@link AsyncRateLimiters#asyncLimiter}. */
  String policy();

  /** The limit of each subject. */
  Limit limit();

  /** Asks for one unit; {@link #tryAcquire(String, long)} with a cost of 1. */
  default CompletionStage<Decision> tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Asks for {@code cost} units; see {@link RateLimiter#tryAcquire(String, long)}.
   *
   * @param cost units, 1 to 10^12
   */
  CompletionStage<Decision> tryAcquire(String subject, long cost);

  /**
   * Asks for {@code cost} units and completes when it has them, or when waiting is of no use; see
   * {@link RateLimiter#acquire}. No thread waits. Cancelling it leaves the line.
   *
   * @param cost units, 1 to 10^12
   * @param atMost 0 to 366 days
   */
  CompletionStage<Decision> acquire(String subject, long cost, Duration atMost);

  /**
   * Asks for up to {@code max} units; see {@link RateLimiter#tryAcquireUpTo}.
   *
   * @param max units, 1 to 10^12
   */
  CompletionStage<AcquiredUnits> tryAcquireUpTo(String subject, long max);

  /**
   * Asks for one unit for each subject; see {@link RateLimiter#tryAcquireAll}. The stage itself
   * never completes exceptionally: each outcome tells of its own call.
   */
  CompletionStage<List<Outcome>> tryAcquireAll(Collection<String> subjects);

  /** The same with a cost each; see {@link RateLimiter#tryAcquireEach}. */
  CompletionStage<List<Outcome>> tryAcquireEach(List<SubjectCost> calls);

  /** Tells how much of the limit is left, without taking or writing anything. */
  CompletionStage<Usage> peek(String subject);

  /**
   * Gives units back, to all tiers, at most as many as are used; see {@link RateLimiter#refund}
   * about one that comes late.
   *
   * @param units 1 to 10^12
   */
  CompletionStage<Usage> refund(String subject, long units);

  /** Gives everything back: a refund of 10^12 units. */
  default CompletionStage<Usage> reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
