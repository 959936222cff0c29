package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.ConcurrencyLimiter;
import io.github.penstock.core.reserve.NamedLimit;
import io.github.penstock.core.reserve.Reservations;
import java.time.Duration;

/**
 * Makes blocking {@link RateLimiter}s on one Redis client; each adapter has its own. Safe for use
 * by several threads.
 */
public interface RateLimiters extends AutoCloseable {
  /**
   * Returns a limiter for {@code policy} under {@code limit}. Making one costs nothing and contacts
   * no server: for a limit per plan, make a limiter per plan.
   *
   * @param policy the limit's name, 1 to 64 of {@code A-Z a-z 0-9 . _ -}; together with subject and
   *     limit it names the key
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit);

  /**
   * Returns a limiter that charges units ahead and hands them out without asking the server: for a
   * few subjects with very many calls. For fixed windows, sliding windows and token buckets of one
   * tier; with any other limit, and for costs above the lease, every call asks.
   *
   * @param leasing how many units are taken ahead at most, and how long they are held
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing);

  /**
   * Returns reservations: several limits in one decision, with costs that are known afterwards.
   * Making them costs nothing.
   *
   * @param name for listeners and logs; no part of a key
   * @param keep how long a call holds its units if it is neither settled nor renewed, 1 ms to 366
   *     days, and at least the deadline
   * @throws IllegalArgumentException if {@code keep} is out of bounds
   */
  Reservations reservations(String name, Duration keep);

  /**
   * Returns a limit of what each subject has in flight.
   *
   * @param policy the limit's name, 1 to 64 of {@code A-Z a-z 0-9 . _ -}
   * @param limit how many at one time, 1 to 10^12
   * @param keep when the place of a process that died is free again, 1 ms to 366 days, and at least
   *     the deadline
   * @throws IllegalArgumentException if an argument is out of its bounds
   */
  default ConcurrencyLimiter concurrency(String policy, long limit, Duration keep) {
    return new ConcurrencyLimiter(
        reservations(policy, keep), NamedLimit.concurrency(policy, limit));
  }

  /**
   * Loads the Functions library on every master, replacing an older one of the same name; needs
   * Redis 7.0 or Valkey. Limiters call its functions if {@link RateLimiterOptions#functions()} says
   * so.
   *
   * @throws PenstockException if they could not be loaded
   */
  void loadFunctions();

  /**
   * Waits until a decision can be made: call it before a service takes requests. It takes a unit of
   * the subject {@code connected} under each policy that was made so far, or under a policy {@code
   * connected} if none was; so it also finds a replica, a full memory, and a user who may not
   * write.
   *
   * <p>A service that is to start also in an outage catches {@link NoDecisionException} and {@link
   * OverloadedException}; any other failure is a mistake, or is not understood.
   *
   * @param atMost how long to wait
   * @throws MisconfiguredException at once, if something is set up wrong
   * @throws NoDecisionException after that time, if it is an outage, with the last cause
   * @throws OverloadedException after that time, if the server's memory or a bound is full
   * @throws PenstockException after that time, if the failure is not understood
   */
  void awaitConnected(Duration atMost);

  /**
   * Returns what these limiters remember and hold. It visits every remembered denial, so call it
   * for metrics, not for each call.
   */
  NearStatistics nearStatistics();

  /**
   * Closes what was opened here; a client that was passed in stays open. A later call, or one that
   * waits in {@code acquire}, throws an {@link IllegalStateException}; a call under way ends with
   * its result or with a {@link NoDecisionException}, whatever {@link OnUnavailable} says. Returns
   * after at most 10 s: a client that takes longer is closed in the background, and a warning is
   * logged.
   */
  @Override
  void close();
}
