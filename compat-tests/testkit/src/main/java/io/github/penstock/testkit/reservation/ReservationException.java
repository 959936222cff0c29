package io.github.penstock.testkit.reservation;

/** A call that must be answered by an error that names this argument, such as {@code id}. */
final class ReservationException extends Exception {
  private static final long serialVersionUID = 1L;

  ReservationException(String argument) {
    super(argument, null, false, false);
  }

  static void require(boolean condition, String argument) throws ReservationException {
    if (!condition) {
      throw new ReservationException(argument);
    }
  }

  String argument() {
    return String.valueOf(getMessage());
  }
}
