package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * The server answered something that is not the protocol's six integers: it is not the script that
 * this library ships, or something between changed the answer.
 */
public final class UnreadableReplyException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param scriptName the script that was called
   * @param key the key that it was called with
   * @param reply the answer as the client gave it
   * @param cause what was wrong with it, if more is known
   */
  public UnreadableReplyException(
      String scriptName, String key, @Nullable Object reply, @Nullable Throwable cause) {
    super(scriptName + " of " + key + " must answer six integers, not " + reply, cause);
  }
}
