package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * A blocking rate limiter for one policy and one limit: decides for each subject whether a call is
 * allowed.
 *
 * <p>A subject is the entity that the limit applies to, such as a user, an address or a tenant. It
 * can be any non-empty text that is well-formed UTF-16. Costs are from 1 to 10^12 units. A denial
 * is a return value, never an exception. Every call except {@link #acquire} returns within the
 * deadline of {@link RateLimiterOptions}; each adapter documents its exceptions to this rule.
 *
 * <pre>{@code
 * RateLimiter api = limiters.limiter("api", TokenBucket.of(100).refill(10, Duration.ofSeconds(1)));
 * if (!api.tryAcquire("user:42").allowed()) {
 *   refuse(429);
 * }
 * Decision ten = api.tryAcquire("user:42", 10);
 * AcquiredUnits some = api.tryAcquireUpTo("user:42", 500);
 * Usage usage = api.refund("user:42", 10);
 * }</pre>
 *
 * <p>Every method throws {@link IllegalArgumentException} for an argument out of bounds, {@link
 * NoDecisionException} if no decision could be made ({@link MayHaveBeenChargedException} if the
 * call may have run), and {@link IllegalStateException} once its {@link RateLimiters} is closed.
 * For a configuration error or an unknown failure it throws another {@link PenstockException}:
 * {@link ScriptRefusedException} if the script rejected the call, or {@link
 * UnreadableReplyException} for a reply that violates the protocol. Thread-safe.
 */
public interface RateLimiter {
  /** Returns the policy's name, as passed to {@link RateLimiters#limiter}. */
  String policy();

  /** Returns the limit of each subject. */
  Limit limit();

  /** Requests one unit; equivalent to {@link #tryAcquire(String, long)} with a cost of 1. */
  default Decision tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Requests {@code cost} units and takes them if every tier has them available. A cost above the
   * limit is never allowed; see {@link Decision#impossible()}.
   *
   * @param cost the units, 1 to 10^12
   */
  Decision tryAcquire(String subject, long cost);

  /**
   * Requests {@code cost} units and waits until they are granted, or, in a {@link
   * io.github.penstock.core.limit.LeakyBucket}, until the turn of the admitted call. Returns a
   * denial immediately if the wait that the server reports exceeds {@code atMost}, and after {@code
   * atMost} if other callers took the units first.
   *
   * <p>Callers in this process that wait for the same subject form a queue. Only the first caller
   * sends calls to the server, after the reported wait plus a random extra of up to an eighth of
   * that wait; a new caller sends one call before it joins the queue. The order is not guaranteed.
   * Virtual threads are not pinned.
   *
   * <p>If an admitted call's turn in a leaky bucket would come later than {@code atMost}, its units
   * are refunded; an exception from that refund is thrown to the caller. If no decision can be
   * made, {@link OnUnavailable} decides each attempt. After a denial by {@link OnUnavailable#DENY},
   * the call waits for one deadline and retries, until {@code atMost} has passed.
   *
   * @param cost the units, 1 to 10^12
   * @param atMost the longest wait, 0 to 366 days; each call to the server may add its own deadline
   * @return the last decision; if it is allowed, its delay is zero
   * @throws InterruptedException if the thread is interrupted before the call begins or while it
   *     waits; a call that is waiting for its turn in a leaky bucket has already been charged
   */
  Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException;

  /**
   * Requests up to {@code max} units and takes as many as are available, in one call: "I have 500
   * mails, how many may I send now?" The result is the same as if units were requested one by one
   * at the same instant until one is denied. In a {@link io.github.penstock.core.limit.LeakyBucket}
   * each unit has its own turn; the turn of the first unit comes after the decision's delay.
   *
   * @param max the maximum number of units, 1 to 10^12
   */
  AcquiredUnits tryAcquireUpTo(String subject, long max);

  /**
   * Requests one unit for each subject, in the order of the collection and in as few round trips as
   * the client allows. The outcomes are in the same order; a call that fails does not affect the
   * others. A subject that occurs twice is charged twice. The deadline applies to the whole batch.
   */
  List<Outcome> tryAcquireAll(Collection<String> subjects);

  /**
   * Requests units for several subjects, each with its own cost; otherwise like {@link
   * #tryAcquireAll}. The outcomes are in the order of the list; a subject may occur twice.
   */
  List<Outcome> tryAcquireEach(List<SubjectCost> calls);

  /**
   * Returns the current usage of the limit without charging or storing anything, so it never throws
   * a {@link MayHaveBeenChargedException}.
   */
  Usage peek(String subject);

  /**
   * Refunds units to all tiers, up to the number of used units.
   *
   * <p>Units are not tied to the call that took them: a refund that arrives after its units have
   * become available again, because the window ended or the bucket refilled, frees units that other
   * calls have taken since.
   *
   * @param units 1 to 10^12
   */
  Usage refund(String subject, long units);

  /** Refunds all used units; equivalent to a refund of 10^12 units. */
  default Usage reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
