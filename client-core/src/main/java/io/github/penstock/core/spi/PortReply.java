package io.github.penstock.core.spi;

import org.jspecify.annotations.Nullable;

/**
 * The server's answer to one call of a batch, or why there is none. Immutable.
 *
 * @param answer the answer as the client has it, null if there is none
 * @param failure the failure as {@link ScriptPort#send} would have thrown it, null if there is none
 */
public record PortReply(@Nullable Object answer, @Nullable RuntimeException failure) {
  /** An answer. */
  public static PortReply of(@Nullable Object answer) {
    return new PortReply(answer, null);
  }

  /** A failure. */
  public static PortReply failed(RuntimeException failure) {
    return new PortReply(null, failure);
  }
}
