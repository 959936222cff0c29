package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Something is set up wrong, and nothing was charged: credentials, certificate, database, kind of
 * deployment, permissions, functions that were not loaded, a key that holds something else. It is
 * thrown whatever {@link OnUnavailable} says; its message has the server's words. Where a node lets
 * nobody sign in and leaves a call unanswered, the message says that the call may have been
 * charged.
 */
public class MisconfiguredException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened and what to do
   * @param cause the client's own exception, if there is one
   */
  public MisconfiguredException(String message, @Nullable Throwable cause) {
    super(FailureKind.MISCONFIGURED, message, cause);
  }
}
