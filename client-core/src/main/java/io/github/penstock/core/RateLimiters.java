package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;

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
   * Loads the Functions library on every master, replacing an older one of the same name; needs
   * Redis 7.0 or Valkey. Limiters call its functions if {@link RateLimiterOptions#functions()} says
   * so.
   *
   * @throws PenstockException if they could not be loaded
   */
  void loadFunctions();

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
