package io.github.penstock.core;

/**
 * The result of a call for units when no decision can be made: no connection, no answer within the
 * deadline, or an answer that the server cannot serve the call now (it is loading, full, without a
 * master, ...).
 *
 * <p>It does not apply to mistakes: wrong credentials, missing permissions, functions that were not
 * loaded, or a key that holds something else always throw. So do peeks and refunds.
 *
 * <p>The log, {@link System.Logger} {@code io.github.penstock}, says once that calls are being
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
