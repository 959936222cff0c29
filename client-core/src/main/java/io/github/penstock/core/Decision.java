package io.github.penstock.core;

import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;

/**
 * The decision to allow or deny a call, and the usage of the limit after the call.
 *
 * <p>With {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))}, the first call of a
 * subject is allowed. It leaves 99 units, and the bucket is full again after 100 ms. The 101st call
 * at the same instant is denied because no units remain. It can be retried after 100 ms. Immutable.
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
 * @param limit the limit or capacity of the deciding tier, in units, at least 1
 * @param remaining the number of whole units that are available in the deciding tier after this
 *     call, never negative
 * @param waitMicros the wait in microseconds. For an allowed call, this is its delay. For a denied
 *     call, this is the time after which it is allowed if no other call is made in the meantime, or
 *     -1 if it can never be allowed. {@link #delay()} and {@link #retryAfter()} are derived from
 *     this value
 * @param resetMicros the time until the deciding tier is back at full capacity, in microseconds,
 *     never negative
 * @param tier the index of the deciding tier, from 1. If the call was denied, this is the tier with
 *     the longest wait. If it was allowed, this is the tier with the fewest units remaining
 * @param source the origin of the decision. If {@link OnUnavailable} or {@link OnOverload}
 *     determined the result, {@code limit} and {@code tier} describe the first tier, and {@code
 *     remaining} and {@code resetMicros} are 0
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
   * The result of {@link #retryAfter()} for a call that can never succeed because its cost exceeds
   * the limit. The value is 200 years. It is longer than any real wait, and it fits in a {@code
   * long} as nanoseconds.
   */
  public static final Duration NEVER = Duration.ofDays(2 * 36_525);

  /**
   * @throws IllegalArgumentException if a number is out of bounds; the message names the number
   */
  public Decision {
    check(limit, remaining, resetMicros, tier);
    check(waitMicros >= (allowed ? 0 : -1), "waitMicros must not be negative: ", waitMicros);
  }

  /**
   * Returns whether the limit was enforced; false if {@link OnUnavailable} or {@link OnOverload}
   * determined the result instead.
   */
  public boolean enforced() {
    return source != DecisionSource.UNAVAILABLE && source != DecisionSource.OVERLOADED;
  }

  /**
   * Returns the time after which a denied call can be retried. The time is zero if the call was
   * allowed, and {@link #NEVER} if the call can never succeed (see {@link #impossible()}).
   */
  public Duration retryAfter() {
    if (allowed) {
      return Duration.ZERO;
    }
    return impossible() ? NEVER : Duration.of(waitMicros, ChronoUnit.MICROS);
  }

  /**
   * Returns {@link #retryAfter()} in whole seconds, rounded up, for HTTP's {@code Retry-After}
   * header. The result is empty if the call is {@link #impossible()}. In that case, omit the header
   * from the response.
   */
  public OptionalLong retryAfterSeconds() {
    if (impossible()) {
      return OptionalLong.empty();
    }
    Duration wait = retryAfter();
    return OptionalLong.of(wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0));
  }

  /** Returns whether the call can never succeed because its cost exceeds the limit. */
  public boolean impossible() {
    return waitMicros < 0;
  }

  /**
   * Returns how long an allowed call must wait for its turn in the queue of a {@link LeakyBucket}.
   * The delay is zero for other limits and for denied calls.
   */
  public Duration delay() {
    return allowed ? Duration.of(waitMicros, ChronoUnit.MICROS) : Duration.ZERO;
  }

  /**
   * Returns the time until the deciding tier is back at full capacity, or zero if it already is.
   * For calls of a bucket that shared a trip, it may be longer by the time in which the units of
   * the later calls of the trip refill.
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
