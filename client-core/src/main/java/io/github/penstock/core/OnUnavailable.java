package io.github.penstock.core;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Determines the result of a call for units during an outage: no connection, no answer within the
 * deadline, or a reply that the server cannot serve calls now (it is loading, busy, without a
 * master, ...).
 *
 * <p>{@link #local(int)} neither opens nor closes the limit: each process continues to enforce its
 * share, and the total that all processes admit is bounded.
 *
 * <p>All choices apply only to an outage ({@link FailureKind#outage()}). A configuration error
 * (credentials, certificate, database, permissions, functions that were not loaded, a key of
 * another type) always throws a {@link MisconfiguredException}, and an unknown failure always
 * throws a {@link PenstockException}. For an exhausted resource, see {@link OnOverload}. Peeks and
 * refunds always throw. A failure that is indistinguishable from an outage, such as an unknown
 * host, counts as one. {@link RateLimiters#awaitConnected} detects such a failure when a service
 * starts.
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
 * <p>When calls begin to be allowed or denied without the server, a single warning with the first
 * cause is logged to the {@link System.Logger} {@code io.github.penstock}. When the server decides
 * again, a single message is logged. Until these limiters have made their first decision, the
 * warning is repeated every minute. Immutable.
 */
public final class OnUnavailable {
  /** The call is allowed; {@link Decision#enforced()} is false. */
  public static final OnUnavailable ALLOW = new OnUnavailable("ALLOW");

  /**
   * The call is denied; {@link Decision#enforced()} is false, and the call may be retried after one
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
   * The call is decided in memory under this process's share of the limit: an n-th of each tier's
   * numbers, rounded down, but at least 1. {@link Decision#source()} is {@link
   * DecisionSource#LOCAL}. With this choice, creating limiters throws an {@link
   * IllegalStateException} if {@code penstock-client-local} is not on the class path.
   *
   * <p>A subject starts with its whole share, or with the state that its last remembered denial
   * implies. Nothing is stored in the process while the server decides. Units charged in local
   * memory are never charged on the server. They count until they have drained, so an outage that
   * comes and goes does not allow a second burst. During an outage of length {@code W}, {@code n}
   * processes together admit at most {@code n} times the share's capacity, plus {@code n} times
   * what the share refills in {@code W}. Under a window limit, they admit at most {@code n} times
   * the share in each window that {@code W} overlaps, and {@code n} times the share in one further
   * window. For example, {@code TokenBucket.of(100).refill(10, Duration.ofSeconds(1))} on four
   * processes with {@code local(4)} lets each process admit 25 units at once and 2 a second.
   *
   * <p>As long as a million subjects are in use in the process, a call of any other subject is
   * treated as with {@link #DENY}. Reservations are always denied. Peeks and refunds throw.
   *
   * @param processes n, the greatest number of processes that share the limit, up to 10^9 - 1; 1
   *     means that each process enforces the whole limit
   * @throws IllegalArgumentException if the number is out of bounds
   */
  public static OnUnavailable local(int processes) {
    if (processes < 1 || processes > 999_999_999) {
      throw new IllegalArgumentException("processes must be from 1 to 999999999: " + processes);
    }
    return new OnUnavailable(processes == 1 ? "LOCAL" : "LOCAL/" + processes, processes);
  }

  /**
   * Returns the choice with this name, in upper or lower case, as in configuration files: {@code
   * allow}, {@code deny}, {@code throw}, {@code local} for the whole limit, or {@code local/4} for
   * a quarter of it.
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

  /** Returns whether calls are decided by this process's share of the limit. */
  public boolean isLocal() {
    return processes > 0;
  }

  /** Returns the number of processes that share a limit; 0 if {@link #isLocal()} is false. */
  public int processes() {
    return processes;
  }

  /**
   * Returns the share of a limit that each process enforces.
   *
   * @throws IllegalArgumentException if the share is not a valid limit of the same kind; for
   *     example, a bucket may take longer than 100 years to refill because its refill units were
   *     rounded down
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
