package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.ConcurrencyLimiter;
import io.github.penstock.core.reserve.NamedLimit;
import io.github.penstock.core.reserve.Reservations;
import java.time.Duration;

/**
 * Creates blocking {@link RateLimiter}s that use one Redis client; each adapter has its own
 * implementation. Thread-safe.
 *
 * <pre>{@code
 * RateLimiterOptions options = RateLimiterOptions.defaults();
 * RateLimiters limiters = JedisRateLimiters.connect("redis://localhost:6379", options);
 * limiters.awaitConnected(Duration.ofSeconds(10));
 * RateLimiter api = limiters.limiter("api", TokenBucket.of(100).refill(10, Duration.ofSeconds(1)));
 * RateLimiter logins = limiters.limiter("logins", FixedWindow.of(5, Duration.ofHours(1)));
 * Reservations tokens = limiters.reservations("llm", Duration.ofMinutes(2));
 * }</pre>
 */
public interface RateLimiters extends AutoCloseable {
  /**
   * Returns a limiter for {@code policy} with {@code limit}. Creating a limiter is cheap and
   * contacts no server; for a limit per plan, create a limiter per plan.
   *
   * @param policy the limit's name, 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}, which is
   *     part of the key together with the subject and the limit
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit);

  /**
   * Returns a limiter that charges units in advance and grants them without a round trip. Use it
   * for a few subjects with very many calls. Leases apply to fixed windows, sliding windows and
   * token buckets of one tier; with any other limit, and for costs above the lease, every call goes
   * to the server.
   *
   * @param leasing the maximum number of units that are charged in advance, and the longest time
   *     for which they are held
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing);

  /**
   * Returns reservations, which make one decision under several limits. Use them for calls whose
   * cost is known only afterwards. Creating this object is cheap.
   *
   * @param name the name for listeners and logs; it is not part of any key
   * @param keep how long a call holds its units unless it is settled or renewed, 1 ms to 366 days,
   *     and at least the deadline
   * @throws IllegalArgumentException if {@code keep} is out of bounds
   */
  Reservations reservations(String name, Duration keep);

  /**
   * Returns a limiter for the number of concurrent calls of each subject.
   *
   * @param policy the limit's name, 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
   * @param limit the maximum number of concurrent calls, 1 to 10^12
   * @param keep how long a permit is held unless it is closed or renewed, such as after a crash; 1
   *     ms to 366 days, and at least the deadline
   * @throws IllegalArgumentException if an argument is out of its bounds
   */
  default ConcurrencyLimiter concurrency(String policy, long limit, Duration keep) {
    return new ConcurrencyLimiter(
        reservations(policy, keep), NamedLimit.concurrency(policy, limit));
  }

  /**
   * Loads the Functions library on every master, replacing an older library of the same name;
   * requires Redis 7.0 or Valkey. Limiters call its functions if {@link
   * RateLimiterOptions#functions()} is set.
   *
   * @throws PenstockException if the library could not be loaded
   */
  void loadFunctions();

  /**
   * Waits until a decision can be made; call it before a service accepts requests. It charges one
   * unit to the subject {@code connected} under each policy created so far, or under a policy
   * {@code connected} if none was created. It therefore also detects a replica, full memory, and a
   * user without write permission.
   *
   * <p>A service that should also start during an outage catches {@link NoDecisionException} and
   * {@link OverloadedException}; any other failure is a configuration error or an unknown failure.
   *
   * @param atMost the longest wait
   * @throws MisconfiguredException immediately, if the configuration is wrong
   * @throws NoDecisionException after {@code atMost}, if there is an outage, with the last cause
   * @throws OverloadedException after {@code atMost}, if the server is out of memory or another
   *     resource is exhausted
   * @throws PenstockException after {@code atMost}, if the failure is unknown
   */
  void awaitConnected(Duration atMost);

  /**
   * Returns statistics of the denials that these limiters remember and the leases that they hold.
   * This method visits every remembered denial, so call it for metrics and not for every request.
   */
  NearStatistics nearStatistics();

  /**
   * Closes the resources that this object opened; a client that was passed in stays open. Later
   * calls, and calls that wait in {@code acquire}, throw an {@link IllegalStateException}; a call
   * in progress ends with its result or with a {@link NoDecisionException}, regardless of {@link
   * OnUnavailable}. Returns within 10 s: a client that takes longer to close is closed in the
   * background, and a warning is logged.
   */
  @Override
  void close();
}
