package io.github.penstock.core.spi;

/**
 * Thrown by a port for a call that never left this process: no connection could be had, or the
 * deadline passed before it was written. Core unwraps it; a caller gets the cause.
 */
public final class NotSentException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final RuntimeException reason;

  /**
   * @param reason the client's own exception
   */
  public NotSentException(RuntimeException reason) {
    super(null, reason, false, false);
    this.reason = reason;
  }

  /** The client's own exception. */
  public RuntimeException reason() {
    return reason;
  }
}
