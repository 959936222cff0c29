package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call for units in an outage: no connection, no answer within the deadline, or an
 * answer that the server cannot serve the call now (it is loading, busy, without a master, ...).
 *
 * <p>{@link #local(int)} neither opens nor closes the limit: each process goes on with its share,
 * and what all of them admit has a bound.
 *
 * <p>Only an outage does this ({@link FailureKind#outage()}). Something that is set up wrong
 * (credentials, certificate, database, permissions, functions that were not loaded, a key that
 * holds something else) always throws a {@link MisconfiguredException}, a failure that is not
 * understood a {@link PenstockException}, and for a bound that is full there is {@link OnOverload}.
 * Peeks and refunds always throw. What cannot be told from an outage is one, such as an unknown
 * host: {@link RateLimiters#awaitConnected} finds it when a service starts.
 *
 * <p>The log, {@link System.Logger} {@code io.github.penstock}, says once that calls are being
 * allowed or denied without the server, as a warning with the first cause, and once that the server
 * decides again. Until these limiters have decided once it says so every minute. Immutable.
 */
public final class OnUnavailable {
  /** The call is allowed, {@link Decision#enforced()} is false. */
  public static final OnUnavailable ALLOW = new OnUnavailable("ALLOW");

  /**
   * The call is denied, {@link Decision#enforced()} is false, and it may be tried again after one
   * deadline.
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
   * This process decides, in memory, by its share of the limit: the n-th part of each tier's
   * numbers, rounded down, at least 1. {@link Decision#source()} is {@link DecisionSource#LOCAL}.
   * Limiters are not made, by an {@link IllegalStateException}, unless {@code
   * penstock-client-local} is on the class path.
   *
   * <p>A subject begins with all of its share, or with what the last denial that is remembered says
   * of it. Nothing is stored here while the server decides; what is charged here is never charged
   * to the server, and counts until it has drained, so that an outage which comes and goes gives no
   * second burst. {@code n} processes admit in an outage of length {@code W} at most {@code n}
   * times the share's capacity and what the share gains in {@code W}; of a window {@code n} times
   * the share for each window that {@code W} touches, and one more. With {@code
   * TokenBucket.of(100).refill(10, Duration.ofSeconds(1))} and four processes, {@code local(4)}: 25
   * at once and 2 a second each.
   *
   * <p>Where a million subjects are in use here, another one is denied as by {@link #DENY}; so are
   * reservations, always. Peeks and refunds throw.
   *
   * @param processes n, the greatest number of processes that share the limit: 1 for the whole
   *     limit in each, to 10^9 - 1
   * @throws IllegalArgumentException if it is out of these bounds
   */
  public static OnUnavailable local(int processes) {
    if (processes < 1 || processes > 999_999_999) {
      throw new IllegalArgumentException("processes must be from 1 to 999999999: " + processes);
    }
    return new OnUnavailable(processes == 1 ? "LOCAL" : "LOCAL/" + processes, processes);
  }

  /**
   * Returns the choice of this name, in upper or lower case, as configuration has it: {@code
   * allow}, {@code deny}, {@code throw}, {@code local} for the whole limit or {@code local/4} for a
   * fourth.
   *
   * @throws IllegalArgumentException if there is none
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

  /** Returns whether this process decides by its share. */
  public boolean isLocal() {
    return processes > 0;
  }

  /** Returns how many processes share a limit; 0 unless {@link #isLocal()}. */
  public int processes() {
    return processes;
  }

  /**
   * Returns what each process enforces of a limit.
   *
   * @throws IllegalArgumentException if that is out of the bounds of its kind: a bucket whose units
   *     were rounded may take longer than 100 years to refill
   * @throws IllegalStateException unless {@link #isLocal()}
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

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
