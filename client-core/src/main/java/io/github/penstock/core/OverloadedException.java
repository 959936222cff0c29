package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server is out of memory, or if a resource of this process or of its client is
 * exhausted while the server still answers. Nothing was charged, unless the message says that the
 * call may have been charged. {@link OnOverload} determines whether a call for units throws this
 * exception.
 */
public final class OverloadedException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the description of the failure and its remedy
   * @param cause the client's own exception, if there is one
   */
  public OverloadedException(String message, @Nullable Throwable cause) {
    super(FailureKind.OVERLOADED, message, cause);
  }
}
