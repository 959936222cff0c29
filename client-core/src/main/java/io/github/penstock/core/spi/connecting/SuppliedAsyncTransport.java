package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.spi.AsyncScriptTransport;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@link SuppliedTransport} for asynchronous clients. Safe for use by several threads. */
public final class SuppliedAsyncTransport extends SuppliedClientTransport<AsyncScriptTransport>
    implements AsyncScriptTransport {

  /**
   * Calls through the client that {@code supplier} returns; it may block and may throw.
   *
   * @param failure {@link AsyncScriptTransport#failure} of any of its transports
   */
  public SuppliedAsyncTransport(
      Supplier<ClientTransport<AsyncScriptTransport>> supplier,
      Function<Throwable, @Nullable TransportFailure> failure) {
    this(supplier, failure, TimeSource.SYSTEM);
  }

  /** The variant with clocks other than the machine's. */
  public SuppliedAsyncTransport(
      Supplier<ClientTransport<AsyncScriptTransport>> supplier,
      Function<Throwable, @Nullable TransportFailure> failure,
      TimeSource time) {
    super(supplier, failure, time);
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    return client.transport().send(call);
  }

  @Override
  public List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return client.transport().sendAll(calls);
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.supplyAsync(client::awaitTransport)
        .thenCompose(transport -> transport.loadFunctions(library));
  }
}
