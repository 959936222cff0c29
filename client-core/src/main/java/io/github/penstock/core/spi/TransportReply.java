package io.github.penstock.core.spi;

import org.jspecify.annotations.Nullable;

/**
 * The server's answer to one call of a batch, or the failure without one. Immutable.
 *
 * @param answer the answer as the client returned it, null if there is none
 * @param failure the failure as {@link ScriptTransport#send} would have thrown it, null if there is
 *     none
 */
public record TransportReply(@Nullable Object answer, @Nullable RuntimeException failure) {
  /** An answer. */
  public static TransportReply of(@Nullable Object answer) {
    return new TransportReply(answer, null);
  }

  /** A failure. */
  public static TransportReply failed(RuntimeException failure) {
    return new TransportReply(null, failure);
  }
}
