package io.github.penstock.testkit.model;

/** A call that must be answered by an error that names this argument. */
final class BadArgumentException extends Exception {
  private static final long serialVersionUID = 1L;

  BadArgumentException(String argument) {
    super(argument, null, false, false);
  }

  /** Throws one that names the argument unless the condition holds. */
  static void require(boolean condition, String argument) throws BadArgumentException {
    if (!condition) {
      throw new BadArgumentException(argument);
    }
  }

  String argument() {
    return String.valueOf(getMessage());
  }
}
