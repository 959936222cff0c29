package io.github.penstock.core.internal.plan;

import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.spi.ScriptCall;
import org.jspecify.annotations.Nullable;

/** Turns the outcome of a call into its caller's result. */
public interface ReplyReader<T> {
  /** Returns the caller's result for an answer of the server. */
  T answered(ScriptCall call, @Nullable Object reply);

  /**
   * Returns the caller's result for a missing answer.
   *
   * @throws RuntimeException the failure's exception, if the caller should receive it
   */
  T failed(ScriptCall call, CallFailure failure);

  /** Returns whether the call is for units, so that it may be decided without its node. */
  default boolean isForUnits() {
    return false;
  }

  /** Returns the reply's list, or the failure, as they are. */
  static ReplyReader<Object> ofOutcome(boolean forUnits) {
    return new ReplyReader<>() {
      @Override
      public Object answered(ScriptCall call, @Nullable Object reply) {
        return ReplyDecoder.list(call, reply);
      }

      @Override
      public Object failed(ScriptCall call, CallFailure failure) {
        return failure;
      }

      @Override
      public boolean isForUnits() {
        return forUnits;
      }
    };
  }

  /** Called instead of the other two when the caller no longer waits for the call. */
  default void abandoned(ScriptCall call) {}
}
