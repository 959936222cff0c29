package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * The configuration is wrong, and nothing was charged: credentials, certificate, database, kind of
 * deployment, permissions, functions that were not loaded, a key that holds something else. It is
 * thrown regardless of {@link OnUnavailable}; its message contains the server's error text. If a
 * node refuses every login and leaves a call unanswered, the message says that the call may have
 * been charged.
 */
public class MisconfiguredException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the failure and its remedy
   * @param cause the client's own exception, if there is one
   */
  public MisconfiguredException(String message, @Nullable Throwable cause) {
    super(FailureKind.MISCONFIGURED, message, cause);
  }
}
