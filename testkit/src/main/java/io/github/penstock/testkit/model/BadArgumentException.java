package io.github.penstock.testkit.model;

/** A call that must be answered by an error that names this argument. */
final class BadArgumentException extends Exception {
  private static final long serialVersionUID = 1L;

  BadArgumentException(String argument) {
    super(argument, null, false, false);
  }

  String argument() {
    return String.valueOf(getMessage());
  }
}
