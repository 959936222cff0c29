package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the configuration is wrong, regardless of {@link OnUnavailable}. The cause is the
 * credentials, the certificate, the database, the kind of deployment, the permissions, functions
 * that were not loaded, or a key of another type. The message contains the server's error text.
 * Nothing was charged, with one exception. If a node rejects every login and does not answer a call
 * that was sent, the message says that the call may have been charged.
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
