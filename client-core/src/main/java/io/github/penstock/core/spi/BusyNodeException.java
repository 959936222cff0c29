package io.github.penstock.core.spi;

/**
 * Thrown by a transport for a call that was sent and not answered in time, by a node that answers
 * others: too many calls were before it. It is overloaded, and it may have been charged.
 */
public final class BusyNodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** For a call that had so many others before it. */
  public BusyNodeException(long before) {
    super(
        "no answer within the deadline: "
            + before
            + " calls are under way, and others are answered",
        null,
        false,
        false);
  }
}
