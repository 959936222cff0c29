package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * No answer shows whether the call ran: a lost connection, a late reply. It was not sent again, so
 * it was charged once or not at all.
 */
public final class MayHaveBeenChargedException extends NoDecisionException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened
   * @param cause the client's own exception, if there is one
   */
  public MayHaveBeenChargedException(String message, @Nullable Throwable cause) {
    super(FailureKind.NOT_ANSWERED, message, cause);
  }
}
