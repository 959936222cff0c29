package io.github.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server's reply is not the six integers that the protocol defines. Either the script
 * is not the one that this library ships, or an intermediary changed the reply.
 */
public final class UnreadableReplyException extends PenstockException {
  private static final long serialVersionUID = 1L;

  /**
   * @param scriptName the name of the script that was called
   * @param key the key of the call
   * @param reply the reply, as the client returned it
   * @param cause the exception that describes the defect, if there is one
   */
  public UnreadableReplyException(
      String scriptName, String key, @Nullable Object reply, @Nullable Throwable cause) {
    super(scriptName + " of " + key + " must answer six integers, not " + reply, cause);
  }
}
