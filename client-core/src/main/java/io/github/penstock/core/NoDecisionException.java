package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if an outage prevented a decision. Either there was no connection, no answer arrived
 * within the deadline, or the server replied that it cannot serve calls now. The message contains
 * the policy and the key. The cause is the client's own exception.
 *
 * <p>Nothing was charged, unless this is a {@link MayHaveBeenChargedException}. {@link
 * OnUnavailable} determines whether a call for units throws this exception, is allowed, or is
 * denied.
 */
public class NoDecisionException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param kind the kind of outage
   * @param message the description of the failure
   * @param cause the client's own exception, if there is one
   */
  public NoDecisionException(FailureKind kind, String message, @Nullable Throwable cause) {
    super(kind, message, cause);
  }
}
