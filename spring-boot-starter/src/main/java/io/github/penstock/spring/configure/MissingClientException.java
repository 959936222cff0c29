package io.github.penstock.spring.configure;

/**
 * No client of Redis was found, or which one to use cannot be told; {@link StartFailureAnalyzer}.
 */
public final class MissingClientException extends IllegalStateException {
  private static final long serialVersionUID = 1L;
  private final String action;

  MissingClientException(String message, String action) {
    super(message);
    this.action = action;
  }

  /** What to do. */
  public String action() {
    return action;
  }
}
