package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * No decision could be had: no connection, no answer within the deadline, or a server that cannot
 * serve now. The message names policy and key; the client's own exception is the cause.
 *
 * <p>Nothing was charged, unless it is a {@link MayHaveBeenChargedException}. Whether a call for
 * units throws it or is allowed or denied instead, {@link OnUnavailable} says.
 */
public class NoDecisionException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened
   * @param cause the client's own exception, if there is one
   */
  public NoDecisionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
