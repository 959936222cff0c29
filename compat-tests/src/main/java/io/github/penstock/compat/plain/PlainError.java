package io.github.penstock.compat.plain;

/** An error that the server answered. */
final class PlainError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PlainError(String text) {
    super(text, null, false, false);
  }
}
