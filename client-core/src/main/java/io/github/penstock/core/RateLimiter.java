package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * A blocking rate limiter for one policy and one limit. It enforces the limit separately for each
 * subject.
 *
 * <p>A subject is the entity that the limit applies to, such as a user, an address or a tenant. It
 * can be any non-empty string of well-formed UTF-16. A cost is 1 to 10^12 units. A denial is a
 * return value, never an exception. Every call except {@link #acquire} returns within the {@link
 * RateLimiterOptions#deadline() deadline}. Each adapter documents its exceptions to this rule.
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
 * <p>Every method throws an {@link IllegalArgumentException} if an argument is out of bounds, and
 * an {@link IllegalStateException} if its {@link RateLimiters} is closed. If no decision could be
 * made, it throws a {@link NoDecisionException}; this is a {@link MayHaveBeenChargedException} if
 * the call may have run. After a configuration error or an unknown failure, it throws another
 * {@link PenstockException}. Examples are a {@link ScriptRefusedException} if the script rejected
 * the call, and an {@link UnreadableReplyException} if the reply violates the protocol.
 * Thread-safe.
 */
public interface RateLimiter {
  /** Returns the name of the policy, as passed to {@link RateLimiters#limiter}. */
  String policy();

  /** Returns the limit that applies to each subject. */
  Limit limit();

  /** Requests one unit; equivalent to {@link #tryAcquire(String, long)} with a cost of 1. */
  default Decision tryAcquire(String subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Requests {@code cost} units and takes them if every tier has that many units available. A cost
   * above the limit is never allowed; see {@link Decision#impossible()}.
   *
   * @param cost the number of units, 1 to 10^12
   */
  Decision tryAcquire(String subject, long cost);

  /**
   * Requests {@code cost} units and waits until they have been taken. Under a {@link
   * io.github.penstock.core.limit.LeakyBucket}, this method also waits for the call's turn. If the
   * server reports a wait longer than {@code atMost}, this method returns a denial immediately. If
   * other callers take the units first, it returns a denial after {@code atMost} at the latest.
   *
   * <p>Callers in this process that wait for the same subject form a queue. Only the first caller
   * in the queue sends calls to the server. Before each call, it waits for the time that the server
   * reported, plus a random time of up to an eighth of it. A new caller sends one call before it
   * joins the queue. The order of the callers is not guaranteed. Waiting does not pin virtual
   * threads.
   *
   * <p>If a leaky bucket admits the call but its turn comes later than {@code atMost}, the units
   * are refunded. If that refund fails, the caller receives its exception. If no decision can be
   * made, {@link OnUnavailable} determines the result of each attempt. If {@link
   * OnUnavailable#DENY} denies an attempt, the method waits for one deadline and tries again, until
   * {@code atMost} has passed.
   *
   * @param cost the number of units, 1 to 10^12
   * @param atMost the longest wait, 0 to 366 days; each call to the server can add up to one
   *     deadline
   * @return the last decision; if it is allowed, its delay is zero
   * @throws InterruptedException if the thread is interrupted before the call begins or while it
   *     waits. A call that is waiting for its turn in a leaky bucket has already been charged
   */
  Decision acquire(String subject, long cost, Duration atMost) throws InterruptedException;

  /**
   * Requests up to {@code max} units in a single call, and takes as many units as are available. It
   * answers questions such as "How many of these 500 mails can I send now?" The result is the same
   * as requesting one unit after another, at the same instant, until a request is denied. In a
   * {@link io.github.penstock.core.limit.LeakyBucket}, each unit has its own turn. The first unit
   * may proceed once the decision's delay has elapsed.
   *
   * @param max the maximum number of units, 1 to 10^12
   */
  AcquiredUnits tryAcquireUpTo(String subject, long max);

  /**
   * Requests one unit for each subject, in the order of the collection. The calls take as few round
   * trips as the client allows. The outcomes are in the same order. A call that fails does not
   * affect the other calls. A subject that occurs twice is charged twice. The deadline applies to
   * the whole batch.
   *
   * @param subjects at most 10,000
   * @throws IllegalArgumentException if there are more; none of them is charged
   */
  List<Outcome> tryAcquireAll(Collection<String> subjects);

  /**
   * Requests units for several subjects, each with its own cost. Otherwise, this method works like
   * {@link #tryAcquireAll}. The outcomes are in the order of the list. A subject can occur twice.
   *
   * @param calls at most 10,000
   * @throws IllegalArgumentException if there are more; none of them is made
   */
  List<Outcome> tryAcquireEach(List<SubjectCost> calls);

  /**
   * Returns the current usage of the limit. A peek neither charges nor stores anything, so it never
   * throws a {@link MayHaveBeenChargedException}.
   */
  Usage peek(String subject);

  /**
   * Refunds units to all tiers, up to the number of used units.
   *
   * <p>Units are not tied to the call that took them. If the window ends or the bucket refills
   * before a refund arrives, the refund frees units that other calls have taken in the meantime.
   *
   * @param units the number of units to refund, 1 to 10^12
   */
  Usage refund(String subject, long units);

  /** Refunds all used units; equivalent to a refund of 10^12 units. */
  default Usage reset(String subject) {
    return refund(subject, Limit.MAX_UNITS);
  }
}
