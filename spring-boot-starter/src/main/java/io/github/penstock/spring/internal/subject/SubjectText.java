package io.github.penstock.spring.internal.subject;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The values of expressions that can be subjects or plans: types whose equal values have the same
 * text.
 */
public final class SubjectText {
  private static final ScarceLog LOG = new ScarceLog();

  private SubjectText() {}

  /**
   * A value as a text; null if it is null, empty, not well-formed UTF-16, or not a text, a number,
   * an enum or a UUID. The last case is logged at most once a second.
   *
   * @param expression for the log
   */
  public static @Nullable String of(@Nullable Object value, Object expression) {
    if (value instanceof CharSequence
        || value instanceof Number
        || value instanceof Enum<?>
        || value instanceof UUID) {
      String text = value.toString();
      return isUsable(text) ? text : null;
    }
    if (value != null) {
      String type = value.getClass().getName();
      LOG.log(Level.WARNING, "the expression " + expression + " gave no text, but a " + type);
    }
    return null;
  }

  /** Returns whether a text can be a part of a key. */
  public static boolean isUsable(String text) {
    return !text.isEmpty() && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
