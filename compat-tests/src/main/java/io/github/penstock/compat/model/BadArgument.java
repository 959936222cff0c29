package io.github.penstock.compat.model;

/** A call that must be answered by an error that names this argument. */
final class BadArgument extends Exception {
  private static final long serialVersionUID = 1L;

  BadArgument(String argument) {
    super(argument, null, false, false);
  }

  String argument() {
    return String.valueOf(getMessage());
  }
}
