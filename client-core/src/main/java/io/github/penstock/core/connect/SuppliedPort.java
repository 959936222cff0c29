package io.github.penstock.core.connect;

import io.github.penstock.core.spi.PortFailure;
import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Blocking calls through a client that a supplier makes or hands out: asked for at once, and again
 * once that client is closed. Safe for use by several threads.
 */
public final class SuppliedPort implements ScriptPort {
  private final SuppliedClient<ScriptPort> client;
  private final Function<Throwable, @Nullable PortFailure> failure;

  /**
   * Calls through what {@code supplier} gives, which may block and may throw.
   *
   * @param failure {@link ScriptPort#failure} of any of its ports
   */
  public SuppliedPort(
      Supplier<ClientPort<ScriptPort>> supplier,
      Function<Throwable, @Nullable PortFailure> failure) {
    client = new SuppliedClient<>(supplier);
    this.failure = failure;
  }

  @Override
  public @Nullable Object send(ScriptCall call) {
    return client.port().send(call);
  }

  @Override
  public List<PortReply> sendAll(List<ScriptCall> calls) {
    return client.port().sendAll(calls);
  }

  @Override
  public @Nullable PortFailure failure(Throwable thrown) {
    return failure.apply(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return client.followsRedirects(ScriptPort::followsRedirects);
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
  public void loadFunctions(String library) {
    client.awaitPort().loadFunctions(library);
  }

  /** Closes the client if it was made for this; one that the application has stays open. */
  public void close() {
    client.close(Duration.ZERO);
  }
}
