package io.github.penstock.compat.model;

import org.jspecify.annotations.Nullable;

/**
 * What is under a key.
 *
 * @param kind nothing, a string, or a value of another type
 * @param text the string; null unless it is one
 * @param ttlMs milliseconds to live as of the last write; {@link #ENDLESS} without
 */
public record Stored(Kind kind, @Nullable String text, long ttlMs) {
  /** The {@link #ttlMs} of a key that never expires. */
  public static final long ENDLESS = -1;

  /** No key. */
  public static final Stored NOTHING = new Stored(Kind.NOTHING, null, ENDLESS);

  /** A list. */
  public static final Stored LIST = new Stored(Kind.LIST, null, ENDLESS);

  /** What kind of value a key holds. */
  public enum Kind {
    NOTHING,
    STRING,
    LIST
  }

  /** Checks that exactly a string has a text, and that a time to live is positive. */
  public Stored {
    if ((kind == Kind.STRING) != (text != null)) {
      throw new IllegalArgumentException("text must be given for a string, and only then");
    }
    if (ttlMs != ENDLESS && (ttlMs <= 0 || kind != Kind.STRING)) {
      throw new IllegalArgumentException("ttlMs must be positive and of a string, not " + ttlMs);
    }
  }

  /** A string that expires in {@code ttlMs}, or never if that is {@link #ENDLESS}. */
  public static Stored string(String text, long ttlMs) {
    return new Stored(Kind.STRING, text, ttlMs);
  }
}
