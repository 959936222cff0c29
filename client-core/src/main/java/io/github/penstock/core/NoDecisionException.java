package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if no decision could be made because of an outage: no connection, no answer within the
 * deadline, or a server that cannot serve calls now. The message contains the policy and the key;
 * the client's own exception is the cause.
 *
 * <p>Nothing was charged, unless this is a {@link MayHaveBeenChargedException}. {@link
 * OnUnavailable} determines whether a call for units throws this exception, or is allowed or denied
 * instead.
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
