package io.github.penstock.core;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.ConcurrencyLimiter;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservations;
import java.time.Duration;

/**
 * Creates blocking {@link RateLimiter}s that share one Redis client. Each adapter has its own
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
   * Returns a limiter with this policy name and limit. Creating a limiter is cheap and does not
   * contact the server. If each plan has a different limit, create a limiter for each plan.
   *
   * @param policy the name of the policy, 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}. The
   *     policy, the subject and the limit are part of the key
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit);

  /**
   * Returns a limiter that charges units in advance, so that calls can take them without a round
   * trip. Use it for a few subjects with very many calls. Leases apply to limits with one tier that
   * are fixed windows, sliding windows or token buckets. Under any other limit, every call goes to
   * the server. A call that costs more than the lease also goes to the server.
   *
   * @param leasing the maximum number of units that are charged in advance, and the longest time
   *     that they are held
   * @throws IllegalArgumentException if the policy name is invalid
   */
  RateLimiter limiter(String policy, Limit limit, LeaseTerms leasing);

  /**
   * Returns reservations, which make one decision under several limits. Use them for calls whose
   * cost is not known in advance. Creating this object is cheap.
   *
   * @param name the name that is used in events and logs; it is not part of any key
   * @param keep how long a call holds its units if it is neither settled nor renewed; 1 ms to 366
   *     days, and at least the deadline
   * @throws IllegalArgumentException if {@code keep} is out of bounds
   */
  Reservations reservations(String name, Duration keep);

  /**
   * Returns a limiter that limits the number of concurrent calls of each subject.
   *
   * @param policy the name of the policy, 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
   * @param limit the maximum number of concurrent calls, 1 to 10^12
   * @param keep how long a permit is held if it is neither closed nor renewed, for example after a
   *     crash; 1 ms to 366 days, and at least the deadline
   * @throws IllegalArgumentException if an argument is out of bounds
   */
  default ConcurrencyLimiter concurrency(String policy, long limit, Duration keep) {
    return new ConcurrencyLimiter(
        reservations(policy, keep), EntryLimit.concurrency(policy, limit));
  }

  /**
   * Loads the Functions library on every master; requires Redis 7.0 or Valkey. An older library
   * with the same name is replaced. Limiters call these functions if {@link
   * RateLimiterOptions#functions()} is true.
   *
   * @throws PenstockException if the library could not be loaded
   */
  void loadFunctions();

  /**
   * Waits until the server can make decisions. Call this method before your service starts
   * accepting requests. It charges one unit to the subject {@code connected} under each policy
   * created so far. If no policy was created, it charges a policy named {@code connected}. Because
   * this charge is a write, it also detects a replica, full memory, and a user without write
   * permission.
   *
   * <p>If your service should start even during an outage, catch {@link NoDecisionException} and
   * {@link OverloadedException}. Any other failure is a configuration error or an unknown failure.
   *
   * @param atMost the longest wait
   * @throws MisconfiguredException immediately, if the configuration is wrong
   * @throws NoDecisionException after {@code atMost}, if the outage has not ended; the exception
   *     contains the last cause
   * @throws OverloadedException after {@code atMost}, if the server is out of memory or another
   *     resource is exhausted
   * @throws PenstockException after {@code atMost}, if the failure is unknown
   */
  void awaitConnected(Duration atMost);

  /**
   * Returns statistics about the remembered denials, the leases and the shared trips of these
   * limiters. This method visits every remembered denial, so call it for metrics, but not on every
   * request.
   */
  NearStatistics nearStatistics();

  /**
   * Closes the resources that this object opened, but not a client that was passed in. New calls,
   * and calls that are waiting in {@code acquire}, throw an {@link IllegalStateException}. Every
   * other call in progress ends with its result or with a {@link NoDecisionException}, regardless
   * of {@link OnUnavailable}. This method returns within 10 s. If closing the client takes longer,
   * it continues in the background and a warning is logged.
   */
  @Override
  void close();
}
