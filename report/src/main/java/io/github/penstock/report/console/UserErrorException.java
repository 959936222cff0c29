package io.github.penstock.report.console;

/**
 * A reason not to go on that its reader can mend: the message is a sentence that says what to do.
 */
public final class UserErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserErrorException(String message) {
    super(message);
  }

  public UserErrorException(String message, Throwable cause) {
    super(message, cause);
  }
}
