package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a call fails. The cause is the client's own exception, if there is one.
 *
 * <p>A {@link NoDecisionException} indicates an outage. A {@link MisconfiguredException} indicates
 * a configuration error and is thrown regardless of {@link OnUnavailable}. An {@link
 * OverloadedException} indicates that a resource is exhausted. Any other instance indicates an
 * unknown failure. In that case, the call may have been charged.
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
   * @param kind the kind of the failure
   * @param message the description of the failure and its remedy
   * @param cause the client's own exception, if there is one
   */
  public PenstockException(FailureKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the kind of the failure. */
  public final FailureKind kind() {
    return kind;
  }
}
