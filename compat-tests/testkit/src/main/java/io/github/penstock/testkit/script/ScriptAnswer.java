package io.github.penstock.testkit.script;

import io.github.penstock.testkit.resp.RespError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call.
 *
 * @param value a Long, a String, null for nil, or a list of these; null for an error
 * @param error the error's whole text; null for a reply
 */
public record ScriptAnswer(@Nullable Object value, @Nullable String error) {

  /** The answer of a connection or an adapter, which may be an error. */
  public static ScriptAnswer of(@Nullable Object answer) {
    return answer instanceof RespError refused
        ? error(refused.text())
        : new ScriptAnswer(answer, null);
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
