package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.TransportReply;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Blocking calls through a client that a supplier makes or hands out: asked for at once, and again
 * once that client is closed. Safe for use by several threads.
 */
public final class SuppliedTransport extends SuppliedClientTransport<ScriptTransport>
    implements ScriptTransport {

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
    super(supplier, failure, time);
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
  public void loadFunctions(String library) {
    client.awaitTransport().loadFunctions(library);
  }
}
