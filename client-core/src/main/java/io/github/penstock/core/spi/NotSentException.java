package io.github.penstock.core.spi;

/**
 * Thrown by a transport for a call that never left this process: no connection could be obtained,
 * or the deadline passed before it was written. Core unwraps it.
 */
public final class NotSentException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final RuntimeException reason;
  private final boolean notConnected;

  /**
   * @param reason the client's own exception
   */
  public NotSentException(RuntimeException reason) {
    this(reason, false);
  }

  private NotSentException(RuntimeException reason, boolean notConnected) {
    super(null, reason, false, false);
    this.reason = reason;
    this.notConnected = notConnected;
  }

  /**
   * Only a connection was missing: core hands the call to the transport again, until its deadline.
   *
   * @param reason the client's own exception
   */
  public static NotSentException notConnected(RuntimeException reason) {
    return new NotSentException(reason, true);
  }

  /** The client's own exception. */
  public RuntimeException reason() {
    return reason;
  }

  /** Returns whether core hands the call to the transport again. */
  public boolean isNotConnected() {
    return notConnected;
  }
}
