package io.github.penstock.compat;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call was answered with.
 *
 * @param reply the integers; empty for an error
 * @param error the error's whole text; null for a reply
 */
public record ScriptAnswer(List<Long> reply, @Nullable String error) {
  /** Copies the list. */
  public ScriptAnswer {
    reply = List.copyOf(reply);
  }

  /** An answer of integers. */
  public static ScriptAnswer of(List<Long> reply) {
    return new ScriptAnswer(reply, null);
  }

  /** An error. */
  public static ScriptAnswer error(String text) {
    return new ScriptAnswer(List.of(), text);
  }
}
