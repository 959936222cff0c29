package io.github.penstock.core.reserve;

import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The idempotency key of one call: a call that is repeated with the same id and entries gets the
 * same answer and is charged once.
 *
 * <p>Generate it in your program. Never take it from a request, such as from a header: a client
 * that chooses the id can repeat an allowed call, which is then allowed again without a charge.
 * Immutable.
 *
 * @param text 1 to 64 characters from {@code A-Z a-z 0-9 . _ -}
 */
public record CallId(String text) {
  private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /**
   * @throws IllegalArgumentException if the text is not a valid id
   */
  public CallId {
    if (!TEXT.matcher(Objects.requireNonNull(text, "text")).matches()) {
      throw new IllegalArgumentException("text must be 1 to 64 of A-Z a-z 0-9 . _ -: " + text);
    }
  }

  /** Returns a unique id: a random UUID. */
  public static CallId random() {
    return new CallId(UUID.randomUUID().toString());
  }

  /** Returns the text of the id. */
  @Override
  public String toString() {
    return text;
  }
}
