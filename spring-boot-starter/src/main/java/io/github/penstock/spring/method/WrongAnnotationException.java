package io.github.penstock.spring.method;

import org.jspecify.annotations.Nullable;

/** A method has a {@link RateLimited} that cannot be used. */
public final class WrongAnnotationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Which method, and what is wrong. */
  WrongAnnotationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
