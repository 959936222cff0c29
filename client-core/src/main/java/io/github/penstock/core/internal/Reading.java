package io.github.penstock.core.internal;

import io.github.penstock.core.spi.ScriptCall;
import org.jspecify.annotations.Nullable;

/** Turns what became of a call into what its caller gets. */
interface Reading<T> {
  /** What the caller gets for an answer of the server. */
  T answered(ScriptCall call, @Nullable Object reply);

  /**
   * What the caller gets when there is none.
   *
   * @throws RuntimeException the failure's exception, if that is what the caller gets
   */
  T failed(ScriptCall call, Failure failure);
}
