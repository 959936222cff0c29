package io.github.penstock.core.spi;

/** The reason of a call that was not sent because the first connection is still being made. */
public final class ConnectingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  ConnectingException() {
    super("the first connection is being made");
  }
}
