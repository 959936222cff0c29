package io.github.penstock.core.internal.engine;

import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.spi.ScriptCall;

/** Ends calls on their caller's thread. */
public record BlockingDriver<T>(BlockingCalls calls) implements CallDriver<T, T> {
  @Override
  public T decided(T result) {
    return result;
  }

  @Override
  public T failed(RuntimeException failure) {
    throw failure;
  }

  @Override
  public T send(ScriptCall call, ReplyReader<T> reader) {
    return calls.send(call, reader);
  }
}
