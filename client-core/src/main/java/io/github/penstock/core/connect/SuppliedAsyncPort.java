package io.github.penstock.core.connect;

import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.PortFailure;
import io.github.penstock.core.spi.ScriptCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@link SuppliedPort} for clients that are asynchronous by themselves. Safe for use by several
 * threads.
 */
public final class SuppliedAsyncPort implements AsyncScriptPort {
  private final SuppliedClient<AsyncScriptPort> client;
  private final Function<Throwable, @Nullable PortFailure> failure;

  /**
   * Calls through the client that {@code supplier} returns; it may block and may throw.
   *
   * @param failure {@link AsyncScriptPort#failure} of any of its ports
   */
  public SuppliedAsyncPort(
      Supplier<ClientPort<AsyncScriptPort>> supplier,
      Function<Throwable, @Nullable PortFailure> failure) {
    client = new SuppliedClient<>(supplier);
    this.failure = failure;
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    return client.port().send(call);
  }

  @Override
  public List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return client.port().sendAll(calls);
  }

  @Override
  public @Nullable PortFailure failure(Throwable thrown) {
    return failure.apply(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return client.followsRedirects(AsyncScriptPort::followsRedirects);
  }

  @Override
  public void renew(ScriptCall call) {
    client.ifOpen(port -> port.renew(call));
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return client.node(port -> port.node(call));
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.supplyAsync(client::awaitPort)
        .thenCompose(port -> port.loadFunctions(library));
  }

  /** Closes the client if it was made for this; the application's own stays open. */
  public void close() {
    close(Duration.ZERO);
  }

  /**
   * Like {@link #close()}, but first waits for a client that is being made.
   *
   * @param connecting how long to wait for that, at most
   */
  public void close(Duration connecting) {
    client.close(connecting);
  }
}
