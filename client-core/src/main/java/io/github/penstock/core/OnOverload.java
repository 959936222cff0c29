package io.github.penstock.core;

import java.util.Locale;

/**
 * Determines the result of a call for units if the server is out of memory, or if a resource of
 * this process or of its client is exhausted while the server still answers.
 *
 * <p>This choice is separate from {@link OnUnavailable} because a single caller can exhaust these
 * resources by sending many calls or using many subjects. For this failure, peeks and refunds
 * always throw an exception. The number of affected calls is logged at most once a second.
 * Immutable.
 */
public final class OnOverload {
  /** The call is allowed, and {@link Decision#enforced()} is false. */
  public static final OnOverload ALLOW = new OnOverload("ALLOW");

  /**
   * The call is denied, and {@link Decision#enforced()} is false. {@link Decision#retryAfter()} is
   * one deadline.
   */
  public static final OnOverload DENY = new OnOverload("DENY");

  /** The call throws an {@link OverloadedException}. */
  public static final OnOverload THROW = new OnOverload("THROW");

  private final String name;

  private OnOverload(String name) {
    this.name = name;
  }

  /**
   * Returns the choice with this name, which can be in upper or lower case.
   *
   * @throws IllegalArgumentException if no choice has this name
   */
  public static OnOverload valueOf(String name) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "ALLOW" -> ALLOW;
      case "DENY" -> DENY;
      case "THROW" -> THROW;
      default ->
          throw new IllegalArgumentException("onOverload must be ALLOW, DENY or THROW: " + name);
    };
  }

  /** Returns the name of the choice. */
  @Override
  public String toString() {
    return name;
  }
}
