package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Determines the result of a call for units during an outage. In an outage, there is no connection,
 * no answer arrives within the deadline, or the server replies that it cannot serve calls now, for
 * example because it is loading, is busy or has no master.
 *
 * <p>With {@link #local(int)}, each process continues to enforce a share of the limit during the
 * outage. The number of units that all processes admit together is therefore bounded.
 *
 * <p>Every choice applies only to an outage ({@link FailureKind#outage()}). A configuration error
 * (credentials, certificate, database, permissions, functions that were not loaded, a key of
 * another type) always throws a {@link MisconfiguredException}, and an unknown failure always
 * throws a {@link PenstockException}. For an exhausted resource, see {@link OnOverload}. During an
 * outage, peeks and refunds always throw an exception. Some configuration errors, such as an
 * unknown host, cannot be distinguished from an outage and count as an outage. To detect them when
 * a service starts, call {@link RateLimiters#awaitConnected}.
 *
 * <pre>{@code
 * RateLimiterOptions options =
 *     RateLimiterOptions.builder().onUnavailable(OnUnavailable.DENY).build();
 * RateLimiters limiters = JedisRateLimiters.connect("redis://localhost:6379", options);
 * RateLimiter logins = limiters.limiter("logins", FixedWindow.of(5, Duration.ofHours(1)));
 * Decision decision = logins.tryAcquire("ann");
 * if (!decision.allowed()) {
 *   refuse(decision.enforced() ? 429 : 503);
 * }
 * }</pre>
 *
 * <p>When an outage begins and calls are allowed or denied without the server, a single warning
 * with the first cause is logged to the {@link System.Logger} {@code io.github.penstock}. When the
 * server makes decisions again, a single message is logged. If a call fails before the server's
 * first decision, a warning is logged at most once a minute. Immutable.
 */
public final class OnUnavailable {
  /** The call is allowed, and {@link Decision#enforced()} is false. */
  public static final OnUnavailable ALLOW = new OnUnavailable("ALLOW");

  /**
   * The call is denied, and {@link Decision#enforced()} is false. {@link Decision#retryAfter()} is
   * one deadline.
   */
  public static final OnUnavailable DENY = new OnUnavailable("DENY");

  /** The call throws a {@link NoDecisionException}. */
  public static final OnUnavailable THROW = new OnUnavailable("THROW");

  private static final Pattern LOCAL = Pattern.compile("LOCAL(?:/([1-9][0-9]{0,8}))?");

  private final String name;
  private final int processes;

  private OnUnavailable(String name) {
    this(name, 0);
  }

  private OnUnavailable(String name, int processes) {
    this.name = name;
    this.processes = processes;
  }

  /**
   * Returns the choice to make decisions in memory, under this process's share of the limit. The
   * share is 1/n of each tier's capacity and units, rounded down, but at least 1. The {@link
   * Decision#source() source} of these decisions is {@link DecisionSource#LOCAL}. With this choice,
   * creating limiters throws an {@link IllegalStateException} if {@code penstock-client-local} is
   * not on the class path.
   *
   * <p>A subject starts with its whole share. If the process remembers a denial of the subject, the
   * subject starts with the state that follows from the last denial. While the server makes the
   * decisions, the process stores nothing. Units charged in local memory are never charged on the
   * server. They count against the share until they have drained, so an intermittent outage does
   * not allow a second burst. During an outage of length {@code W}, {@code n} processes together
   * admit at most {@code n} times the share's capacity, plus {@code n} times the units that the
   * share gains in {@code W}. Under a window limit, they admit at most {@code n} times the share in
   * each window that overlaps the outage, and {@code n} times the share in one further window. For
   * example, with {@code local(4)} and {@code TokenBucket.of(100).refill(10,
   * Duration.ofSeconds(1))}, each of four processes admits 25 units at once and 2 units a second.
   *
   * <p>While a million subjects are in use in the process, a call of any other subject is handled
   * as with {@link #DENY}. During an outage, reservations are always denied, and peeks and refunds
   * throw an exception.
   *
   * @param processes n, the maximum number of processes that share the limit, 1 to 10^9 - 1; with
   *     1, each process enforces the whole limit
   * @throws IllegalArgumentException if the number is out of bounds
   */
  public static OnUnavailable local(int processes) {
    if (processes < 1 || processes > 999_999_999) {
      throw new IllegalArgumentException("processes must be from 1 to 999999999: " + processes);
    }
    return new OnUnavailable(processes == 1 ? "LOCAL" : "LOCAL/" + processes, processes);
  }

  /**
   * Returns the choice with this name, which can be in upper or lower case. The names are {@code
   * allow}, {@code deny}, {@code throw}, {@code local} for the whole limit and, for example, {@code
   * local/4} for a quarter of the limit.
   *
   * @throws IllegalArgumentException if no choice has this name
   */
  public static OnUnavailable valueOf(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    Matcher local = LOCAL.matcher(upper);
    if (local.matches()) {
      return local(local.group(1) == null ? 1 : Integer.parseInt(local.group(1)));
    }
    return switch (upper) {
      case "ALLOW" -> ALLOW;
      case "DENY" -> DENY;
      case "THROW" -> THROW;
      default ->
          throw new IllegalArgumentException(
              "onUnavailable must be ALLOW, DENY, THROW, LOCAL or LOCAL/n: " + name);
    };
  }

  /** Returns whether decisions are made in memory during an outage. */
  public boolean isLocal() {
    return processes > 0;
  }

  /** Returns the number of processes that share a limit; 0 if {@link #isLocal()} is false. */
  public int processes() {
    return processes;
  }

  /**
   * Returns the share of {@code limit} that each process enforces during an outage.
   *
   * @throws IllegalArgumentException if the share is not a valid limit of the same kind. For
   *     example, a bucket whose units are rounded down can take longer than 100 years to refill
   * @throws IllegalStateException if {@link #isLocal()} is false
   */
  public Limit share(Limit limit) {
    if (!isLocal()) {
      throw new IllegalStateException("onUnavailable " + name + " has no share");
    }
    try {
      return Limit.of(limit.kind(), limit.tiers().stream().map(this::share).toList());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "onUnavailable " + name + ": its share of " + limit + ": " + e.getMessage(), e);
    }
  }

  private LimitTier share(LimitTier tier) {
    return LimitTier.of(
        Math.max(1, tier.capacity() / processes),
        Math.max(1, tier.units() / processes),
        tier.period());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OnUnavailable choice && name.equals(choice.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** Returns the name of the choice. */
  @Override
  public String toString() {
    return name;
  }
}
