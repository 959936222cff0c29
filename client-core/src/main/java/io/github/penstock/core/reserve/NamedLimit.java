package io.github.penstock.core.reserve;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.reserve.CallEntry.Mode;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A limit with its policy's name, from which the entries of a call are created: {@link #charge},
 * {@link #reserve} and {@link #debit}.
 *
 * <p>A charge counts against the same units as a {@link io.github.penstock.core.RateLimiter} with
 * this name and limit. Reservations and debits are counted separately from charges: combine reserve
 * with debit under one limit, never with charge. Immutable, equal by value.
 */
public final class NamedLimit {
  private static final String CONCURRENCY = "concurrency:";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,13}");
  private final String policy;
  private final @Nullable Limit rate;
  private final long places;

  private NamedLimit(String policy, @Nullable Limit rate, long places) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.rate = rate;
    this.places = places;
  }

  /**
   * Returns a rate limit.
   *
   * @param policy 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
   */
  public static NamedLimit of(String policy, Limit limit) {
    return new NamedLimit(policy, Objects.requireNonNull(limit, "limit"), 0);
  }

  /**
   * Returns a limit of concurrent calls. A call holds a place while it runs; places are never
   * charged.
   *
   * @param policy 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
   * @param limit the maximum number of concurrent calls, 1 to 10^12
   * @throws IllegalArgumentException if the limit is out of bounds
   */
  public static NamedLimit concurrency(String policy, long limit) {
    CallEntry.check("limit", limit, 1);
    return new NamedLimit(policy, null, limit);
  }

  /**
   * Parses a limit in the syntax of {@link Limits#parse}, or {@code concurrency:10}.
   *
   * @throws IllegalArgumentException if the text is not a valid limit
   */
  public static NamedLimit parse(String policy, String text) {
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

  /** Charges the group; see {@link #charge(String, long)}. */
  public CallEntry charge(long units) {
    return new CallEntry(this, null, Mode.CHARGE, units);
  }

  /**
   * Charges a known cost permanently, under any rate limit.
   *
   * @param within the member of the group
   * @param units 1 to 10^12
   * @throws IllegalArgumentException if the units are out of bounds, or this is a concurrency limit
   */
  public CallEntry charge(String within, long units) {
    return new CallEntry(this, Objects.requireNonNull(within, "within"), Mode.CHARGE, units);
  }

  /** Reserves one unit for the group; see {@link #reserve(String, long)}. */
  public CallEntry reserve() {
    return reserve(1);
  }

  /** Reserves units for the group; see {@link #reserve(String, long)}. */
  public CallEntry reserve(long units) {
    return new CallEntry(this, null, Mode.RESERVE, units);
  }

  /**
   * Holds an estimate until the call is settled, under a token bucket, fixed window, sliding window
   * or concurrency limit.
   *
   * @param within the member of the group
   * @param units 1 to 10^12
   * @throws IllegalArgumentException if the units are out of bounds, or units of this limit cannot
   *     be held
   */
  public CallEntry reserve(String within, long units) {
    return new CallEntry(this, Objects.requireNonNull(within, "within"), Mode.RESERVE, units);
  }

  /** Debits the group; see {@link #debit(String, long)}. */
  public CallEntry debit(long units) {
    return new CallEntry(this, null, Mode.DEBIT, units);
  }

  /**
   * Charges a known cost under a limit that other calls reserve from: a token bucket, fixed window
   * or sliding window.
   *
   * @param within the member of the group
   * @param units 1 to 10^12
   * @throws IllegalArgumentException if the units are out of bounds, or this limit cannot be
   *     debited
   */
  public CallEntry debit(String within, long units) {
    return new CallEntry(this, Objects.requireNonNull(within, "within"), Mode.DEBIT, units);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamedLimit that
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
