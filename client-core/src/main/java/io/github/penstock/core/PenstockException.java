package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a call fails; the client's own exception is the cause, if there is one.
 *
 * <p>A {@link NoDecisionException} indicates an outage. A {@link MisconfiguredException} indicates
 * a configuration error and is thrown regardless of {@link OnUnavailable}; an {@link
 * OverloadedException} is thrown if a resource is exhausted. Any other instance indicates an
 * unknown failure, after which the call may have been charged.
 */
public class PenstockException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final FailureKind kind;

  /**
   * @param message the description of the failure and its remedy
   * @param cause the client's own exception, if there is one
   */
  public PenstockException(String message, @Nullable Throwable cause) {
    this(FailureKind.UNKNOWN, message, cause);
  }

  /**
   * @param kind the class of the failure
   * @param message the description of the failure and its remedy
   * @param cause the client's own exception, if there is one
   */
  public PenstockException(FailureKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the class of the failure. */
  public final FailureKind kind() {
    return kind;
  }
}
