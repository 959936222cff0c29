package io.github.penstock.core.spi;

import io.github.penstock.core.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Blocking calls through a client that a supplier makes or hands out: asked for at once, and again
 * once that client is closed. Safe for use by several threads.
 */
public final class SuppliedTransport implements ScriptTransport {
  private final SuppliedClient<ScriptTransport> client;
  private final Function<Throwable, @Nullable TransportFailure> failure;

  /**
   * Calls through the client that {@code supplier} returns; it may block and may throw.
   *
   * @param failure {@link ScriptTransport#failure} of any of its transports
   */
  public SuppliedTransport(
      Supplier<ClientTransport<ScriptTransport>> supplier,
      Function<Throwable, @Nullable TransportFailure> failure) {
    this(supplier, failure, TimeSource.SYSTEM);
  }

  /** The variant with clocks other than the machine's. */
  public SuppliedTransport(
      Supplier<ClientTransport<ScriptTransport>> supplier,
      Function<Throwable, @Nullable TransportFailure> failure,
      TimeSource time) {
    client = new SuppliedClient<>(supplier, time);
    this.failure = failure;
  }

  @Override
  public @Nullable Object send(ScriptCall call) {
    return client.transport().send(call);
  }

  @Override
  public List<TransportReply> sendAll(List<ScriptCall> calls) {
    return client.transport().sendAll(calls);
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return failure.apply(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return client.holds(ScriptTransport::followsRedirects);
  }

  @Override
  public void renew(ScriptCall call) {
    client.ifOpen(transport -> transport.renew(call));
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return client.node(transport -> transport.node(call));
  }

  @Override
  public boolean checksNodes() {
    return client.everHeld(ScriptTransport::checksNodes);
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    return client.transport().openCheck(call);
  }

  @Override
  public void loadFunctions(String library) {
    client.awaitTransport().loadFunctions(library);
  }

  /** Closes the client if it was made for this; one that the application has stays open. */
  public void close() {
    client.close(Duration.ZERO);
  }
}
