package io.github.penstock.core;

import java.util.Locale;

/**
 * The result of a call for units in an outage: no connection, no answer within the deadline, or an
 * answer that the server cannot serve the call now (it is loading, busy, without a master, ...).
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

  private final String name;

  private OnUnavailable(String name) {
    this.name = name;
  }

  /**
   * Returns the choice of this name, in upper or lower case, as configuration has it.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static OnUnavailable valueOf(String name) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "ALLOW" -> ALLOW;
      case "DENY" -> DENY;
      case "THROW" -> THROW;
      default ->
          throw new IllegalArgumentException("onUnavailable must be ALLOW, DENY or THROW: " + name);
    };
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
