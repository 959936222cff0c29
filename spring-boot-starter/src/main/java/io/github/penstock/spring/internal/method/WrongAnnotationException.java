package io.github.penstock.spring.internal.method;

import org.jspecify.annotations.Nullable;

/** A method has an invalid {@code @RateLimited}. */
public final class WrongAnnotationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The method and its error. */
  WrongAnnotationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
