package io.github.penstock.core.spi;

import org.jspecify.annotations.Nullable;

/**
 * A connection to one node for the check whether it answers (rule F2 of {@code docs/protocol.md}),
 * outside the client's pool and queue. One thread writes and reads at a time; {@link #close} may
 * come from another one, and then ends a read.
 */
public interface CheckConnection {
  /**
   * Writes a call.
   *
   * @throws RuntimeException the client's own exception
   */
  void write(ScriptCall call);

  /**
   * Reads the answer, for as long as that takes.
   *
   * @throws RuntimeException the client's own exception, also for an error that the server answers
   */
  @Nullable Object read();

  /** Closes the connection, without waiting. */
  void close();
}
