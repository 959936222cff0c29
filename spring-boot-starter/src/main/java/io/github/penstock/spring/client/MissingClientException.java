package io.github.penstock.spring.client;

/** No client of Redis was found, or which one to use cannot be told. */
public final class MissingClientException extends IllegalStateException {
  private static final long serialVersionUID = 1L;
  private final String action;

  /** What is missing, and what to do. */
  public MissingClientException(String message, String action) {
    super(message);
    this.action = action;
  }

  /** What to do. */
  public String action() {
    return action;
  }
}
