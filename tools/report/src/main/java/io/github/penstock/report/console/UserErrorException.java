package io.github.penstock.report.console;

/** An error that the user can fix: the message is a sentence with the remedy. */
public final class UserErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserErrorException(String message) {
    super(message);
  }

  /** Throws one with this message unless the condition holds. */
  public static void require(boolean condition, String message) {
    if (!condition) {
      throw new UserErrorException(message);
    }
  }

  public UserErrorException(String message, Throwable cause) {
    super(message, cause);
  }
}
