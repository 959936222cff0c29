package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.ConcurrencyLimiter;
import io.github.penstock.core.reserve.NamedLimit;
import io.github.penstock.core.reserve.Reservations;
import java.time.Duration;

/**
 * Creates blocking {@link RateLimiter}s on one Redis client; each adapter has its own
 * implementation. Safe for use by several threads.
 */
public interface RateLimiters extends AutoCloseable {
  /**
   * Returns a limiter for {@code policy} under {@code limit}. Creating a limiter is cheap and
   * contacts no server: for a limit per plan, create a limiter per plan.
   *
   * @param policy the limit's name, 1 to 64 of {@code A-Z a-z 0-9 . _ -}; together with subject and
   *     limit it names the key
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit);

  /**
   * Returns a limiter that charges units in advance and grants them without a round trip: for a few
   * subjects with very many calls. Leases apply to fixed windows, sliding windows and token buckets
   * of one tier; with any other limit, and for costs above the lease, every call goes to the
   * server.
   *
   * @param leasing the most units that are charged in advance, and the longest time they are held
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing);

  /**
   * Returns reservations: several limits in one decision, for calls whose cost is known only
   * afterwards. Creating them is cheap.
   *
   * @param name for listeners and logs; not part of any key
   * @param keep the time for which a call holds its units unless it is settled or renewed, 1 ms to
   *     366 days, and at least the deadline
   * @throws IllegalArgumentException if {@code keep} is out of bounds
   */
  Reservations reservations(String name, Duration keep);

  /**
   * Returns a limiter of the concurrent calls of each subject.
   *
   * @param policy the limit's name, 1 to 64 of {@code A-Z a-z 0-9 . _ -}
   * @param limit the most concurrent calls, 1 to 10^12
   * @param keep the time after which the place of a crashed process is free again, 1 ms to 366
   *     days, and at least the deadline
   * @throws IllegalArgumentException if an argument is out of its bounds
   */
  default ConcurrencyLimiter concurrency(String policy, long limit, Duration keep) {
    return new ConcurrencyLimiter(
        reservations(policy, keep), NamedLimit.concurrency(policy, limit));
  }

  /**
   * Loads the Functions library on every master, replacing an older library of the same name; needs
   * Redis 7.0 or Valkey. Limiters call its functions if {@link RateLimiterOptions#functions()} is
   * set.
   *
   * @throws PenstockException if the library could not be loaded
   */
  void loadFunctions();

  /**
   * Waits until a decision can be made: call it before a service accepts requests. It charges one
   * unit of the subject {@code connected} under each policy created so far, or under a policy
   * {@code connected} if none was created; it therefore also detects a replica, a full memory, and
   * a user without write permission.
   *
   * <p>A service that should also start during an outage catches {@link NoDecisionException} and
   * {@link OverloadedException}; any other failure is a configuration error or an unknown failure.
   *
   * @param atMost the longest wait
   * @throws MisconfiguredException at once, if the configuration is wrong
   * @throws NoDecisionException after that time, if it is an outage, with the last cause
   * @throws OverloadedException after that time, if the server's memory or a bound is full
   * @throws PenstockException after that time, if the failure is unknown
   */
  void awaitConnected(Duration atMost);

  /**
   * Returns statistics of the denials that these limiters remember and the leases that they hold.
   * It visits every remembered denial, so call it for metrics and not on every call.
   */
  NearStatistics nearStatistics();

  /**
   * Closes the resources that this object opened; a client that was passed in stays open. A later
   * call, or one that waits in {@code acquire}, throws an {@link IllegalStateException}; a call in
   * progress ends with its result or with a {@link NoDecisionException}, regardless of {@link
   * OnUnavailable}. Returns after at most 10 s: a client that takes longer is closed in the
   * background, and a warning is logged.
   */
  @Override
  void close();
}
