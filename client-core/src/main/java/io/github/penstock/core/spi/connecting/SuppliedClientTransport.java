package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.CommonTransport;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transport through a client that a supplier makes or hands out: asked for at once, and again
 * once that client is closed. Safe for use by several threads.
 */
abstract sealed class SuppliedClientTransport<P extends CommonTransport> implements CommonTransport
    permits SuppliedTransport, SuppliedAsyncTransport {
  final SuppliedClient<P> client;
  private final Function<Throwable, @Nullable TransportFailure> failure;

  SuppliedClientTransport(
      Supplier<ClientTransport<P>> supplier,
      Function<Throwable, @Nullable TransportFailure> failure,
      TimeSource time) {
    client = new SuppliedClient<>(supplier, time);
    this.failure = failure;
  }

  @Override
  public final @Nullable TransportFailure failure(Throwable thrown) {
    return failure.apply(thrown);
  }

  @Override
  public final boolean followsRedirects() {
    return client.holds(CommonTransport::followsRedirects);
  }

  @Override
  public final boolean ordersCalls() {
    return client.everHeld(CommonTransport::ordersCalls);
  }

  @Override
  public final void renew(ScriptCall call) {
    client.ifOpen(transport -> transport.renew(call));
  }

  @Override
  public final @Nullable Object node(ScriptCall call) {
    return client.node(transport -> transport.node(call));
  }

  @Override
  public final boolean checksNodes() {
    return client.everHeld(CommonTransport::checksNodes);
  }

  @Override
  public final CheckConnection openCheck(ScriptCall call) {
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
  public final void close() {
    close(Duration.ZERO);
  }

  /**
   * Like {@link #close()}, but first waits for a client that is being made.
   *
   * @param connecting how long to wait for that, at most
   */
  public final void close(Duration connecting) {
    client.close(connecting);
  }
}
