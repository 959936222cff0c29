package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * One policy under one limit: decides for each subject whether it may go ahead. Blocking.
 *
 * <p>A subject is whom the limit counts: a user, an address, a tenant; any text of at least one
 * character that is well-formed UTF-16. Costs are units from 1 to 10^12. A denial is a value, never
 * an exception. Every call except {@link #acquire} ends within the deadline of {@link
 * RateLimiterOptions}; each adapter documents what can exceed it.
 *
 * <p>Every method throws {@link IllegalArgumentException} for an argument out of bounds, {@link
 * NoDecisionException} where no decision could be made ({@link MayHaveBeenChargedException} if the
 * call may have run), and another {@link PenstockException} for a mistake: {@link
 * ScriptRefusedException} if the script refused the call, {@link UnreadableReplyException} for a
 * reply that is not the protocol's; and {@link IllegalStateException} once its limiters are closed.
 * Safe for use by several threads.
 */
public interface RateLimiter {
  /** The policy's name, as it was given to {@link RateLimiters#limiter}. */
  String policy();

  /** The limit of each subject. */
  Limit limit();

  /** Asks for one unit; {@link #tryAcquire(String, long)} with a cost of 1. */
  default Decision tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Asks for {@code cost} units and takes them if every tier has them. A cost over the limit is
   * never allowed, see {@link Decision#impossible()}.
   *
   * @param cost units, 1 to 10^12
   */
  Decision tryAcquire(String subject, long cost);

  /**
   * Asks for {@code cost} units and waits until it has them, or for an admitted call's turn in a
   * {@link io.github.penstock.core.limit.LeakyBucket}. Returns a denial at once if {@code atMost}
   * is shorter than the wait that the server reports, and after {@code atMost} if other callers
   * were quicker.
   *
   * <p>Callers in this process that wait for the same subject form a queue. Only the first asks the
   * server, after the reported wait plus a random extra of up to an eighth of it; a new caller asks
   * once before it joins. The order is not guaranteed. Virtual threads are not pinned.
   *
   * <p>Where an admitted call's turn in a leaky bucket would come later than {@code atMost}, its
   * units are given back; an exception of that refund is thrown to the caller. If no decision can
   * be made, {@link OnUnavailable} decides each time: after {@link OnUnavailable#DENY} the call
   * waits for one deadline and asks again, until {@code atMost} has passed.
   *
   * @param cost units, 1 to 10^12
   * @param atMost how long to wait, 0 to 366 days; each call to the server may add its own deadline
   * @return the last decision; an allowed one has no delay left
   * @throws InterruptedException if the thread is interrupted before it begins or while it waits; a
   *     call that waits for its turn in a leaky bucket has been charged by then
   */
  Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException;

  /**
   * Asks for up to {@code max} units and takes as many of them as there are, in one call: "I have
   * 500 mails, how many may I send now?" It is the same as asking for one unit after another at one
   * instant, until one is denied. In a {@link io.github.penstock.core.limit.LeakyBucket} each of
   * them has its own turn, the first after the decision's delay.
   *
   * @param max units, 1 to 10^12
   */
  AcquiredUnits tryAcquireUpTo(String subject, long max);

  /**
   * Asks for one unit for each subject, in the order of the collection, in as few trips as the
   * client can. The outcomes are in that order; a call that fails does not affect the others. A
   * subject that is named twice is charged twice. The deadline is for the whole batch.
   */
  List<Outcome> tryAcquireAll(Collection<String> subjects);

  /**
   * Like {@link #tryAcquireAll}, with a cost for each call. The outcomes are in the order of the
   * list; a subject may be named twice.
   */
  List<Outcome> tryAcquireEach(List<SubjectCost> calls);

  /**
   * Returns how much of the limit is left, without taking or writing anything; so it never throws a
   * {@link MayHaveBeenChargedException}.
   */
  Usage peek(String subject);

  /**
   * Gives units back to all tiers, at most as many as are used.
   *
   * <p>Units have no owner: a refund that arrives after the units were free again, because their
   * window ended or the bucket refilled, frees what somebody else has taken since.
   *
   * @param units 1 to 10^12
   */
  Usage refund(String subject, long units);

  /** Gives everything back: a refund of 10^12 units. */
  default Usage reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
