package io.github.penstock.core;

import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;

/**
 * The result of a call: allowed or denied, and the current usage of the limit.
 *
 * <p>With {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))}, the first call of a
 * subject is allowed, with 99 units remaining and a reset after 100 ms. The 101st call at the same
 * instant is denied, with 0 units remaining and a retry after 100 ms. Immutable.
 *
 * <pre>{@code
 * Decision decision = api.tryAcquire("user:42", 20);
 * if (decision.impossible()) {
 *   refuse(413);
 * } else if (!decision.allowed()) {
 *   response.setHeader("Retry-After", "" + decision.retryAfterSeconds().getAsLong());
 *   refuse(429);
 * } else if (!decision.enforced()) {
 *   log("no decision, the call passes");
 * }
 * }</pre>
 *
 * @param allowed whether the call was allowed
 * @param limit the limit or capacity of the tier that decided, in units, at least 1
 * @param remaining the whole units of that tier that are still available after this call, never
 *     negative
 * @param waitMicros the wait that the script returned: for an allowed call its delay; for a denied
 *     call the time until it would be allowed, provided that no other call is made, or -1 for
 *     never; {@link #delay()} and {@link #retryAfter()} are derived from it
 * @param resetMicros the time until the tier that decided is back at full capacity, in
 *     microseconds, never negative
 * @param tier the tier that decided, from 1: for a denial the one with the longest wait, otherwise
 *     the one with the fewest units remaining
 * @param source the origin of the decision; if {@link OnUnavailable} or {@link OnOverload} decided,
 *     {@code limit} and {@code tier} are those of the first tier, and {@code remaining} and {@code
 *     resetMicros} are 0
 */
public record Decision(
    boolean allowed,
    long limit,
    long remaining,
    long waitMicros,
    long resetMicros,
    int tier,
    DecisionSource source) {

  /**
   * The result of {@link #retryAfter()} for a call that can never succeed, because it costs more
   * than its limit. It is 200 years, which is longer than any real wait, and its nanoseconds fit in
   * a long.
   */
  public static final Duration NEVER = Duration.ofDays(2 * 36_525);

  /**
   * @throws IllegalArgumentException if a number is out of its bounds; the message names it
   */
  public Decision {
    check(limit, remaining, resetMicros, tier);
    check(waitMicros >= (allowed ? 0 : -1), "waitMicros must not be negative: ", waitMicros);
  }

  /**
   * Returns whether the limit decided; false if {@link OnUnavailable} or {@link OnOverload} decided
   * instead.
   */
  public boolean enforced() {
    return source != DecisionSource.UNAVAILABLE && source != DecisionSource.OVERLOADED;
  }

  /**
   * Returns the time after which a denied call may be retried: zero if it was allowed, {@link
   * #NEVER} if it can never succeed (see {@link #impossible()}).
   */
  public Duration retryAfter() {
    if (allowed) {
      return Duration.ZERO;
    }
    return impossible() ? NEVER : Duration.of(waitMicros, ChronoUnit.MICROS);
  }

  /**
   * Returns {@link #retryAfter()} in whole seconds, rounded up, as in HTTP's {@code Retry-After};
   * empty for a call that is {@link #impossible()}, because its response has no such header.
   */
  public OptionalLong retryAfterSeconds() {
    if (impossible()) {
      return OptionalLong.empty();
    }
    Duration wait = retryAfter();
    return OptionalLong.of(wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0));
  }

  /**
   * Returns whether the call was denied because its cost exceeds the limit, so that it can never
   * succeed.
   */
  public boolean impossible() {
    return waitMicros < 0;
  }

  /**
   * Returns how long an allowed call must wait for its turn in a {@link LeakyBucket}'s queue before
   * it proceeds. It is zero for other limits and for a denied call.
   */
  public Duration delay() {
    return allowed ? Duration.of(waitMicros, ChronoUnit.MICROS) : Duration.ZERO;
  }

  /**
   * Returns the time until the tier that decided is back at full capacity; zero if it is already at
   * full capacity.
   */
  public Duration resetAfter() {
    return Duration.of(resetMicros, ChronoUnit.MICROS);
  }

  static void check(long limit, long remaining, long resetMicros, int tier) {
    check(limit >= 1, "limit must be at least 1: ", limit);
    check(remaining >= 0, "remaining must not be negative: ", remaining);
    check(resetMicros >= 0, "resetMicros must not be negative: ", resetMicros);
    check(tier >= 1 && tier <= Limit.MAX_TIERS, "tier must be from 1 to 16: ", tier);
  }

  static void check(boolean holds, String rule, long value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + value);
    }
  }
}
