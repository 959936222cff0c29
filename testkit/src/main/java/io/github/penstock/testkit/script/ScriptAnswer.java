package io.github.penstock.testkit.script;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call.
 *
 * @param value a Long, a String, null for nil, or a list of these; null for an error
 * @param error the error's whole text; null for a reply
 */
public record ScriptAnswer(@Nullable Object value, @Nullable String error) {

  /** An answer of integers. */
  public static ScriptAnswer of(List<Long> reply) {
    return new ScriptAnswer(List.copyOf(reply), null);
  }

  /** An error. */
  public static ScriptAnswer error(String text) {
    return new ScriptAnswer(null, text);
  }

  /**
   * The integers that a script of the protocol answered; empty for an error.
   *
   * @throws IllegalStateException if it answered anything else
   */
  public List<Long> reply() {
    if (error != null) {
      return List.of();
    }
    if (value instanceof List<?> items && items.stream().allMatch(Long.class::isInstance)) {
      return items.stream().map(Long.class::cast).toList();
    }
    throw new IllegalStateException("a script must answer integers or an error, not " + value);
  }
}
