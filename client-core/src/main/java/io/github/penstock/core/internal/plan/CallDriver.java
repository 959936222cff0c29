package io.github.penstock.core.internal.plan;

import io.github.penstock.core.spi.ScriptCall;

/**
 * Executes the plan of a call: on its caller's thread, asynchronously, or as one of a batch.
 *
 * @param <T> the caller's result
 * @param <R> how the caller gets it
 */
public interface CallDriver<T, R> {
  /** The call has ended without being sent. */
  R decided(T result);

  /** The call has failed without being sent. */
  R failed(RuntimeException failure);

  /** The call must be sent; the reader converts its outcome. */
  R send(ScriptCall call, ReplyReader<T> reader);
}
