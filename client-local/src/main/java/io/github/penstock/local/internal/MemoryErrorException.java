package io.github.penstock.local.internal;

/** An error reply of a script. */
public final class MemoryErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MemoryErrorException(String text) {
    super(text);
  }

  /** The error's text, as a server would have sent it. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
