package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transport through a client that a supplier makes or hands out: asked for at once, and again
 * once that client is closed. Safe for use by several threads.
 */
public final class SuppliedTransport implements ScriptTransport {
  private final SuppliedClient client;
  private final Function<Throwable, @Nullable TransportFailure> failure;

  /**
   * Calls through the client that {@code supplier} returns; it may block and may throw.
   *
   * @param failure {@link ScriptTransport#failure} of any of its transports
   */
  public SuppliedTransport(
      Supplier<ClientTransport> supplier, Function<Throwable, @Nullable TransportFailure> failure) {
    this(supplier, failure, TimeSource.SYSTEM);
  }

  /** The variant with clocks other than the machine's. */
  public SuppliedTransport(
      Supplier<ClientTransport> supplier,
      Function<Throwable, @Nullable TransportFailure> failure,
      TimeSource time) {
    client = new SuppliedClient(supplier, time);
    this.failure = failure;
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

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return failure.apply(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return client.holds(ScriptTransport::followsRedirects);
  }

  @Override
  public boolean ordersCalls() {
    return client.everHeld(ScriptTransport::ordersCalls);
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
    CheckConnection made = client.transport().openCheck(call);
    return made.carriesCalls() ? new CurrentCheck(made) : made;
  }

  /** A check through the client that there is now, which carries calls, too. */
  private final class CurrentCheck implements CheckConnection {
    private volatile CheckConnection latest;

    CurrentCheck(CheckConnection made) {
      latest = made;
    }

    @Override
    public void write(ScriptCall call) {
      latest = client.transport().openCheck(call);
      latest.write(call);
    }

    @Override
    public @Nullable Object read() {
      return latest.read();
    }

    @Override
    public boolean carriesCalls() {
      return true;
    }

    @Override
    public long heardNanos() {
      return latest.heardNanos();
    }

    @Override
    public boolean afterReading(Runnable task) {
      return latest.afterReading(task);
    }

    @Override
    public void close() {
      latest.close();
    }
  }

  /** Closes the client if it was made for this; one that the application has stays open. */
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
