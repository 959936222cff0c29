package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * No decision could be made because of an outage: no connection, no answer within the deadline, or
 * a server that cannot serve now. The message contains policy and key; the client's own exception
 * is the cause.
 *
 * <p>Nothing was charged, unless it is a {@link MayHaveBeenChargedException}. {@link OnUnavailable}
 * determines whether a call for units throws it, or is allowed or denied instead.
 */
public class NoDecisionException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param kind the kind of outage
   * @param message the failure
   * @param cause the client's own exception, if there is one
   */
  public NoDecisionException(FailureKind kind, String message, @Nullable Throwable cause) {
    super(kind, message, cause);
  }
}
