package io.github.penstock.core.reserve;

import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The idempotency key of one call. If a call is repeated with the same id and entries, it gets the
 * same answer and is charged only once.
 *
 * <p>Generate the id in your program. Never take it from a request, for example from a header. A
 * client that chooses the id can repeat an allowed call without being charged again. Immutable.
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

  /** Returns a random UUID as a unique id. */
  public static CallId random() {
    return new CallId(UUID.randomUUID().toString());
  }

  /** Returns the text of the id. */
  @Override
  public String toString() {
    return text;
  }
}
