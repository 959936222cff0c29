package io.github.penstock.core.internal.hold;

import io.github.penstock.core.spi.ScriptCall;

/**
 * Sends one attempt of a call. Its outcome is a list, or a {@link
 * io.github.penstock.core.internal.failure.CallFailure}.
 *
 * @param <R> the outcome, or a future of it
 */
@FunctionalInterface
public interface CallSender<R> {
  /**
   * Sends it.
   *
   * @param forUnits whether it may be decided without its node
   */
  R send(ScriptCall call, boolean forUnits);
}
