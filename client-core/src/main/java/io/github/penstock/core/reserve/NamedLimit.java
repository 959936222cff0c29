package io.github.penstock.core.reserve;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.reserve.CallEntry.Mode;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A policy's name and its limit, from which the entries of calls are created: {@link #charge},
 * {@link #reserve} and {@link #debit}.
 *
 * <p>A charge shares its units with a {@link io.github.penstock.core.RateLimiter} of the same name
 * and limit. Reservations and debits count separate units: reserve and debit under one limit, never
 * reserve and charge. Immutable, equal by value.
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
   * Returns a limit of a rate.
   *
   * @param policy 1 to 64 of {@code A-Z a-z 0-9 . _ -}
   */
  public static NamedLimit of(String policy, Limit limit) {
    return new NamedLimit(policy, Objects.requireNonNull(limit, "limit"), 0);
  }

  /**
   * Returns a limit of concurrent calls: places that are held and never charged.
   *
   * @param policy 1 to 64 of {@code A-Z a-z 0-9 . _ -}
   * @param limit 1 to 10^12
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

  /** The policy's name. */
  public String policy() {
    return policy;
  }

  /** The limit of the rate; null for concurrency. */
  public @Nullable Limit rate() {
    return rate;
  }

  /** The number of places; 0 for a rate. */
  public long places() {
    return places;
  }

  /** Charges the group; see {@link #charge(String, long)}. */
  public CallEntry charge(long units) {
    return new CallEntry(this, null, Mode.CHARGE, units);
  }

  /**
   * Charges a known cost permanently; any rate.
   *
   * @param within the member of the group
   * @param units 1 to 10^12
   * @throws IllegalArgumentException if it is out of bounds, or this is a limit of concurrency
   */
  public CallEntry charge(String within, long units) {
    return new CallEntry(this, Objects.requireNonNull(within, "within"), Mode.CHARGE, units);
  }

  /** Reserves one place or unit for the group; see {@link #reserve(String, long)}. */
  public CallEntry reserve() {
    return reserve(1);
  }

  /** Reserves for the group; see {@link #reserve(String, long)}. */
  public CallEntry reserve(long units) {
    return new CallEntry(this, null, Mode.RESERVE, units);
  }

  /**
   * Holds an estimate until the call is settled; for a token bucket, a fixed or sliding window, or
   * concurrency.
   *
   * @param within the member of the group
   * @param units 1 to 10^12
   * @throws IllegalArgumentException if it is out of bounds, or this limit cannot be held
   */
  public CallEntry reserve(String within, long units) {
    return new CallEntry(this, Objects.requireNonNull(within, "within"), Mode.RESERVE, units);
  }

  /** Debits the group; see {@link #debit(String, long)}. */
  public CallEntry debit(long units) {
    return new CallEntry(this, null, Mode.DEBIT, units);
  }

  /**
   * Charges a known cost under a limit that is otherwise reserved; for a token bucket or a fixed or
   * sliding window.
   *
   * @param within the member of the group
   * @param units 1 to 10^12
   * @throws IllegalArgumentException if it is out of bounds, or this limit cannot be debited
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

  /** Policy and limit, such as {@code in-flight: concurrency:10}. */
  @Override
  public String toString() {
    return policy + ": " + (rate == null ? CONCURRENCY + places : rate.toString());
  }
}
