package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the configuration is wrong: credentials, certificate, database, kind of deployment,
 * permissions, functions that were not loaded, or a key of another type. Nothing was charged. It is
 * thrown regardless of {@link OnUnavailable}; its message contains the server's error text. If a
 * node rejects every login and does not answer a call that was sent, the message says that the call
 * may have been charged.
 */
public class MisconfiguredException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the description of the failure and its remedy
   * @param cause the client's own exception, if there is one
   */
  public MisconfiguredException(String message, @Nullable Throwable cause) {
    super(FailureKind.MISCONFIGURED, message, cause);
  }
}
