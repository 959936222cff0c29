package io.github.penstock.core;

import java.util.Locale;

/**
 * Determines the result of a call for units if a resource of this process or of its client is
 * exhausted although the server answers, or if the server is out of memory.
 *
 * <p>It is separate from {@link OnUnavailable}, because a single caller that sends many calls, or
 * chooses many subjects, can exhaust these resources. Peeks and refunds always throw. The log
 * reports the number of such calls at most once a second. Immutable.
 */
public final class OnOverload {
  /** The call is allowed; {@link Decision#enforced()} is false. */
  public static final OnOverload ALLOW = new OnOverload("ALLOW");

  /**
   * The call is denied; {@link Decision#enforced()} is false, and the call may be retried after one
   * deadline.
   */
  public static final OnOverload DENY = new OnOverload("DENY");

  /** The call throws an {@link OverloadedException}. */
  public static final OnOverload THROW = new OnOverload("THROW");

  private final String name;

  private OnOverload(String name) {
    this.name = name;
  }

  /**
   * Returns the choice with this name, in upper or lower case, as in configuration files.
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
