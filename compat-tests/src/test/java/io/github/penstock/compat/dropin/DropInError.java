package io.github.penstock.compat.dropin;

/** The error that a drop-in must answer. */
final class DropInError extends Exception {
  private static final long serialVersionUID = 1L;

  /** Names the argument, or the server's own word. */
  DropInError(String argument) {
    super(argument, null, false, false);
  }
}
