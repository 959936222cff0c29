package io.github.penstock.core.reserve;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.reserve.EntryCost.Mode;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A limit with the name of its policy. {@link #charge}, {@link #reserve} and {@link #debit} create
 * the entries of a call.
 *
 * <p>Charges use the same units as a {@link io.github.penstock.core.RateLimiter} with this policy
 * name and limit. Reservations and debits are counted separately from charges. You can therefore
 * combine reservations and debits under one limit, but never combine either of them with charges.
 * Immutable and compared by value.
 */
public final class EntryLimit {
  private static final String CONCURRENCY = "concurrency:";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,13}");
  private final String policy;
  private final @Nullable Limit rate;
  private final long places;

  private EntryLimit(String policy, @Nullable Limit rate, long places) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.rate = rate;
    this.places = places;
  }

  /**
   * Returns a rate limit.
   *
   * @param policy 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
   */
  public static EntryLimit of(String policy, Limit limit) {
    return new EntryLimit(policy, Objects.requireNonNull(limit, "limit"), 0);
  }

  /**
   * Returns a limit on the number of concurrent calls. A call holds a place while it runs. Places
   * are never charged.
   *
   * @param policy 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
   * @param limit the maximum number of concurrent calls, 1 to 10^12
   * @throws IllegalArgumentException if the limit is out of bounds
   */
  public static EntryLimit concurrency(String policy, long limit) {
    EntryCost.check("limit", limit, 1);
    return new EntryLimit(policy, null, limit);
  }

  /**
   * Parses a rate limit in the syntax of {@link Limits#parse}, or a concurrency limit such as
   * {@code concurrency:10}.
   *
   * @throws IllegalArgumentException if the text is not a valid limit
   */
  public static EntryLimit parse(String policy, String text) {
    if (!text.startsWith(CONCURRENCY)) {
      return of(policy, Limits.parse(text));
    }
    String number = text.substring(CONCURRENCY.length());
    if (!NUMBER.matcher(number).matches()) {
      throw new IllegalArgumentException(
          "limit \"%s\" must be a number after \"concurrency:\", such as concurrency:10"
              .formatted(text));
    }
    return concurrency(policy, Long.parseLong(number));
  }

  /** Returns the name of the policy. */
  public String policy() {
    return policy;
  }

  /** Returns the rate limit; null for a concurrency limit. */
  public @Nullable Limit rate() {
    return rate;
  }

  /** Returns the maximum number of concurrent calls; 0 for a rate limit. */
  public long places() {
    return places;
  }

  /** Creates an entry that charges the group; see {@link #charge(String, long)}. */
  public EntryCost charge(long units) {
    return new EntryCost(this, null, Mode.CHARGE, units);
  }

  /**
   * Creates an entry that charges a known cost permanently. All rate limits support charges.
   *
   * @param within the member of the group
   * @param units the number of units, 1 to 10^12
   * @throws IllegalArgumentException if the units are out of bounds, or if this is a concurrency
   *     limit
   */
  public EntryCost charge(String within, long units) {
    return new EntryCost(this, Objects.requireNonNull(within, "within"), Mode.CHARGE, units);
  }

  /** Creates an entry that reserves one unit for the group; see {@link #reserve(String, long)}. */
  public EntryCost reserve() {
    return reserve(1);
  }

  /** Creates an entry that reserves units for the group; see {@link #reserve(String, long)}. */
  public EntryCost reserve(long units) {
    return new EntryCost(this, null, Mode.RESERVE, units);
  }

  /**
   * Creates an entry that holds the estimated units until the call is settled. This limit must be a
   * token bucket, fixed window, sliding window or concurrency limit.
   *
   * @param within the member of the group
   * @param units the number of units, 1 to 10^12
   * @throws IllegalArgumentException if the units are out of bounds, or if this limit does not
   *     support reservations
   */
  public EntryCost reserve(String within, long units) {
    return new EntryCost(this, Objects.requireNonNull(within, "within"), Mode.RESERVE, units);
  }

  /** Creates an entry that debits the group; see {@link #debit(String, long)}. */
  public EntryCost debit(long units) {
    return new EntryCost(this, null, Mode.DEBIT, units);
  }

  /**
   * Creates an entry that charges a known cost. Other calls can reserve units under the same limit,
   * which must be a token bucket, fixed window or sliding window.
   *
   * @param within the member of the group
   * @param units the number of units, 1 to 10^12
   * @throws IllegalArgumentException if the units are out of bounds, or if this limit does not
   *     support debits
   */
  public EntryCost debit(String within, long units) {
    return new EntryCost(this, Objects.requireNonNull(within, "within"), Mode.DEBIT, units);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EntryLimit that
        && policy.equals(that.policy)
        && Objects.equals(rate, that.rate)
        && places == that.places;
  }

  @Override
  public int hashCode() {
    return Objects.hash(policy, rate, places);
  }

  /** Returns the policy and the limit, such as {@code in-flight: concurrency:10}. */
  @Override
  public String toString() {
    return policy + ": " + (rate == null ? CONCURRENCY + places : rate.toString());
  }
}
