package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A call that failed; the client's own exception is the cause, if there is one.
 *
 * <p>A {@link NoDecisionException} tells that no decision could be made. Any other is a mistake in
 * what was set up (credentials, permissions, functions, what a key holds), which is thrown whatever
 * {@link OnUnavailable} says; its message has the server's words.
 */
public class PenstockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened and what to do
   * @param cause the client's own exception, if there is one
   */
  public PenstockException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
