package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;

/**
 * Makes blocking {@link RateLimiter}s on one Redis client; each adapter has its own. Safe for use
 * by several threads.
 */
public interface RateLimiters extends AutoCloseable {
  /**
   * A limiter of {@code policy} under {@code limit}. It costs nothing and asks nobody, so a limit
   * per plan is a limiter per plan.
   *
   * @param policy the limit's name, 1 to 64 of {@code A-Z a-z 0-9 . _ -}; together with subject and
   *     limit it names the key
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit);

  /**
   * A limiter that charges units ahead and hands them out without asking: for few subjects that are
   * asked for very often. For fixed windows, sliding windows and token buckets of one tier; with
   * any other limit, and for costs above the lease, every call asks.
   *
   * @param leasing how many units are taken ahead at most, and how long they are held
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing);

  /**
   * Loads the Functions library on every master, over an older one of the same name; needs Redis
   * 7.0 or Valkey. Limiters call its functions if {@link RateLimiterOptions#functions()} says so.
   *
   * @throws PenstockException if they could not be loaded
   */
  void loadFunctions();

  /**
   * Tells what these limiters know and hold without asking. It looks at every denial that is
   * remembered, so it is for metrics, and not for each call.
   */
  NearStatistics nearStatistics();

  /**
   * Closes what was opened here; a client that was handed in stays open. Its limiters end with it:
   * a later call, and who waits in {@code acquire}, gets an {@link IllegalStateException}, and a
   * call under way what became of it or a {@link NoDecisionException}, whatever {@link
   * OnUnavailable} says. Returns after at most 10 s: a client that needs longer ends without the
   * caller, and the log says so.
   */
  @Override
  void close();
}
