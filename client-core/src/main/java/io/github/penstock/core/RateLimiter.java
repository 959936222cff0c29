package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * One policy under one limit: decides for each subject whether a call is allowed. Blocking.
 *
 * <p>A subject is the entity that the limit counts, such as a user, an address or a tenant; any
 * text of at least one character that is well-formed UTF-16. Costs are units from 1 to 10^12. A
 * denial is a value, never an exception. Every call except {@link #acquire} ends within the
 * deadline of {@link RateLimiterOptions}; each adapter documents the exceptions.
 *
 * <p>Every method throws {@link IllegalArgumentException} for an argument out of bounds, {@link
 * NoDecisionException} if no decision could be made ({@link MayHaveBeenChargedException} if the
 * call may have run), and another {@link PenstockException} for a configuration error or an unknown
 * failure: {@link ScriptRefusedException} if the script refused the call, {@link
 * UnreadableReplyException} for a reply that violates the protocol; and {@link
 * IllegalStateException} once its limiters are closed. Safe for use by several threads.
 */
public interface RateLimiter {
  /** The policy's name, as passed to {@link RateLimiters#limiter}. */
  String policy();

  /** The limit of each subject. */
  Limit limit();

  /** Requests one unit; {@link #tryAcquire(String, long)} with a cost of 1. */
  default Decision tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Requests {@code cost} units and takes them if every tier has them. A cost above the limit is
   * never allowed, see {@link Decision#impossible()}.
   *
   * @param cost units, 1 to 10^12
   */
  Decision tryAcquire(String subject, long cost);

  /**
   * Requests {@code cost} units and waits until they are granted, or, in a {@link
   * io.github.penstock.core.limit.LeakyBucket}, until the turn of the admitted call. Returns a
   * denial at once if {@code atMost} is shorter than the wait that the server reports, and after
   * {@code atMost} if other callers took the units first.
   *
   * <p>Callers in this process that wait for the same subject form a queue. Only the first sends
   * calls to the server, after the reported wait plus a random extra of up to an eighth of it; a
   * new caller sends one call before it joins the queue. The order is not guaranteed. Virtual
   * threads are not pinned.
   *
   * <p>If an admitted call's turn in a leaky bucket would come later than {@code atMost}, its units
   * are refunded; an exception of that refund is thrown to the caller. If no decision can be made,
   * {@link OnUnavailable} decides each time: after {@link OnUnavailable#DENY} the call waits for
   * one deadline and tries again, until {@code atMost} has passed.
   *
   * @param cost units, 1 to 10^12
   * @param atMost the longest wait, 0 to 366 days; each call to the server may add its own deadline
   * @return the last decision; if it is allowed, its delay is zero
   * @throws InterruptedException if the thread is interrupted before the call begins or while it
   *     waits; a call that waits for its turn in a leaky bucket has been charged by then
   */
  Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException;

  /**
   * Requests up to {@code max} units and takes as many as are available, in one call: "I have 500
   * mails, how many may I send now?" The result equals that of requesting one unit after another at
   * one instant until one is denied. In a {@link io.github.penstock.core.limit.LeakyBucket} each
   * unit has its own turn, the first after the decision's delay.
   *
   * @param max units, 1 to 10^12
   */
  AcquiredUnits tryAcquireUpTo(String subject, long max);

  /**
   * Requests one unit for each subject, in the order of the collection, in as few round trips as
   * the client allows. The outcomes are in that order; a call that fails does not affect the
   * others. A subject that occurs twice is charged twice. The deadline applies to the whole batch.
   */
  List<Outcome> tryAcquireAll(Collection<String> subjects);

  /**
   * Like {@link #tryAcquireAll}, with a cost for each call. The outcomes are in the order of the
   * list; a subject may occur twice.
   */
  List<Outcome> tryAcquireEach(List<SubjectCost> calls);

  /**
   * Returns the current usage of the limit without charging or writing anything, so it never throws
   * a {@link MayHaveBeenChargedException}.
   */
  Usage peek(String subject);

  /**
   * Refunds units to all tiers, but no more than have been used.
   *
   * <p>Units are not tied to the call that took them: a refund that arrives after its units became
   * free again, because the window ended or the bucket refilled, frees units that other calls have
   * taken since.
   *
   * @param units 1 to 10^12
   */
  Usage refund(String subject, long units);

  /** Refunds everything: a refund of 10^12 units. */
  default Usage reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
