package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A call that failed; the client's own exception is the cause, if there is one.
 *
 * <p>A {@link NoDecisionException} is an outage. A {@link MisconfiguredException} is a mistake in
 * what was set up and is thrown whatever {@link OnUnavailable} says; an {@link OverloadedException}
 * says that a bound is full. Any other is not understood, and the call may have been charged.
 */
public class PenstockException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final FailureKind kind;

  /**
   * @param message what happened and what to do
   * @param cause the client's own exception, if there is one
   */
  public PenstockException(String message, @Nullable Throwable cause) {
    this(FailureKind.UNKNOWN, message, cause);
  }

  /**
   * @param kind what the failure means
   * @param message what happened and what to do
   * @param cause the client's own exception, if there is one
   */
  public PenstockException(FailureKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns what the failure means. */
  public final FailureKind kind() {
    return kind;
  }
}
