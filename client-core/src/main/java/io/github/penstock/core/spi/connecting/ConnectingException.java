package io.github.penstock.core.spi.connecting;

/**
 * The reason of a call that was not sent because a process that has just started still makes its
 * first connection: an overload, not an outage.
 */
public final class ConnectingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  ConnectingException() {
    super("the first connection is being made");
  }
}
