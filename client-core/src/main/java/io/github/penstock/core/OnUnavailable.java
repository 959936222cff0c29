package io.github.penstock.core;

/**
 * The way in which a call for units ends when no decision can be had: no connection, no answer
 * within the deadline, or an answer that the server cannot serve now (it is loading, full, without
 * a master, ...).
 *
 * <p>Not for mistakes: wrong credentials, missing permissions, functions that were not loaded, a
 * key that holds something else are thrown whatever is chosen. Peeks and refunds always throw.
 *
 * <p>The log, {@link System.Logger} {@code io.github.penstock}, tells once that calls are being
 * allowed or denied without the server, as a warning with the first cause, and once that the server
 * decides again.
 */
public enum OnUnavailable {
  /** The call is allowed, {@link Decision#enforced()} is false. */
  ALLOW,
  /**
   * The call is denied, {@link Decision#enforced()} is false, and it may be tried again after one
   * deadline.
   */
  DENY,
  /** The call throws a {@link NoDecisionException}. */
  THROW
}
