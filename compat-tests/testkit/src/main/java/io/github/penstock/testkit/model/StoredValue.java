package io.github.penstock.testkit.model;

import org.jspecify.annotations.Nullable;

/**
 * The value under a key.
 *
 * @param kind nothing, a string, or a value of another type
 * @param text the string, or its bytes in lower-case hexadecimal digits; null unless it is one
 * @param ttlMs milliseconds to live as of the last write; {@link #ENDLESS} without
 */
public record StoredValue(Kind kind, @Nullable String text, long ttlMs) {
  /** The {@link #ttlMs} of a key that never expires. */
  public static final long ENDLESS = -1;

  /** No key. */
  public static final StoredValue NOTHING = new StoredValue(Kind.NOTHING, null, ENDLESS);

  /** A list. */
  public static final StoredValue LIST = new StoredValue(Kind.LIST, null, ENDLESS);

  /** The kinds of values that a key can hold. */
  public enum Kind {
    NOTHING,
    STRING,
    /** A string that is not text: it is written as hexadecimal digits. */
    BINARY,
    LIST
  }

  /** Checks that exactly a string has a text, and that a time to live is positive. */
  public StoredValue {
    boolean string = kind == Kind.STRING || kind == Kind.BINARY;
    if (string != (text != null)) {
      throw new IllegalArgumentException("text must be given for a string, and only then");
    }
    if (ttlMs != ENDLESS && (ttlMs <= 0 || !string)) {
      throw new IllegalArgumentException("ttlMs must be positive and of a string, not " + ttlMs);
    }
  }

  /** A string that expires in {@code ttlMs}, or never if that is {@link #ENDLESS}. */
  public static StoredValue string(String text, long ttlMs) {
    return new StoredValue(Kind.STRING, text, ttlMs);
  }

  /** The value for bytes, given in lower-case hexadecimal digits. */
  public static StoredValue binary(String hex, long ttlMs) {
    return new StoredValue(Kind.BINARY, hex, ttlMs);
  }
}
