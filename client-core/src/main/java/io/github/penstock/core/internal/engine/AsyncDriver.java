package io.github.penstock.core.internal.engine;

import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.spi.ScriptCall;
import java.util.concurrent.CompletableFuture;

/** Ends calls by completing stages. */
public record AsyncDriver<T>(AsyncCalls calls) implements CallDriver<T, CompletableFuture<T>> {
  @Override
  public CompletableFuture<T> decided(T result) {
    return CompletableFuture.completedFuture(result);
  }

  @Override
  public CompletableFuture<T> failed(RuntimeException failure) {
    return CompletableFuture.failedFuture(failure);
  }

  @Override
  public CompletableFuture<T> send(ScriptCall call, ReplyReader<T> reader) {
    return calls.send(call, reader);
  }
}
