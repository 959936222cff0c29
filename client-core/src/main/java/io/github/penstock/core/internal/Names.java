package io.github.penstock.core.internal;

/** The rule for the parts of a key that the application chooses. */
public final class Names {
  private static final int MAX_LENGTH = 64;

  private Names() {}

  /**
   * Checks a part of a key.
   *
   * @throws IllegalArgumentException if it is not 1 to 64 of the allowed characters
   */
  public static void check(String what, String name) {
    boolean fits = !name.isEmpty() && name.length() <= MAX_LENGTH;
    for (int i = 0; fits && i < name.length(); i++) {
      fits = isAllowed(name.charAt(i));
    }
    if (!fits) {
      throw new IllegalArgumentException(
          what + " must be 1 to 64 of A-Z a-z 0-9 . _ -: \"" + name + "\"");
    }
  }

  private static boolean isAllowed(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '.'
        || c == '_'
        || c == '-';
  }
}
