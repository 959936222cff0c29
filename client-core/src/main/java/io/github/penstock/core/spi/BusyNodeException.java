package io.github.penstock.core.spi;

/**
 * Thrown by a transport for a call that was sent and not answered in time, by a node that answers
 * others: too many calls were before it. It is overloaded, and it may have been charged.
 */
public final class BusyNodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * For a late call that was judged by the check of its node (rule F2).
   *
   * @param answers whether the server is known to answer
   */
  public BusyNodeException(boolean answers) {
    super(
        answers
            ? "no answer within the deadline, although the server answers"
            : "no answer within the deadline, and no check has shown yet whether the server answers",
        null,
        false,
        false);
  }
}
