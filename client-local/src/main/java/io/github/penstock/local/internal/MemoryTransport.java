package io.github.penstock.local.internal;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls to an in-process server, each of which is answered at once. */
public class MemoryTransport implements ScriptTransport {
  private final Supplier<MemoryServer> server;

  /** Calls to {@code server}. */
  public MemoryTransport(MemoryServer server) {
    this(() -> server);
  }

  /** Calls to the current server. */
  protected MemoryTransport(Supplier<MemoryServer> server) {
    this.server = server;
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    try {
      return CompletableFuture.completedFuture(server.get().answer(call));
    } catch (MemoryErrorException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  @Override
  public final List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return calls.stream().map(this::send).toList();
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return thrown instanceof MemoryErrorException error
        ? TransportFailure.answered(error.text())
        : null;
  }

  @Override
  public final Object node(ScriptCall call) {
    return "memory";
  }

  /** No functions need loading, because scripts are run by name. */
  @Override
  public final CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.completedFuture(library);
  }
}
