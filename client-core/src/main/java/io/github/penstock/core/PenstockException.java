package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/** A failure that this library tells of in its own words; the client's own is its cause. */
public class PenstockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened and what to do
   * @param cause the client's own exception, if there is one
   */
  public PenstockException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
