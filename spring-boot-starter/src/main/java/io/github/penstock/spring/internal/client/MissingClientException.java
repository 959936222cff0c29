package io.github.penstock.spring.internal.client;

/** No Redis client was found, or the choice between several is ambiguous. */
public final class MissingClientException extends IllegalStateException {
  private static final long serialVersionUID = 1L;
  private final String action;

  /** The missing client and the remedy. */
  public MissingClientException(String message, String action) {
    super(message);
    this.action = action;
  }

  /** The remedy. */
  public String action() {
    return action;
  }
}
