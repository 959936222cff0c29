package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if it is unknown whether the call ran, because the connection was lost or the reply was
 * late. The call was not resent, so it was charged once or not at all.
 */
public final class MayHaveBeenChargedException extends NoDecisionException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the description of the failure
   * @param cause the client's own exception, if there is one
   */
  public MayHaveBeenChargedException(String message, @Nullable Throwable cause) {
    super(FailureKind.NOT_ANSWERED, message, cause);
  }
}
