package io.github.penstock.benchmarks;

/**
 * A reason not to go on that its reader can mend: the message is a sentence that says what to do.
 */
public final class Complaint extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Complaint(String message) {
    super(message);
  }

  public Complaint(String message, Throwable cause) {
    super(message, cause);
  }
}
