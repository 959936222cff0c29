package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.spi.ScriptTransport;
import java.util.function.BooleanSupplier;

/**
 * A transport and the client behind it.
 *
 * @param transport calls through the client
 * @param open whether the client can still be used; asked before each call
 * @param close closes the client, if it was made for this transport
 */
public record ClientTransport(ScriptTransport transport, BooleanSupplier open, Runnable close) {
  /** A transport whose client belongs to the application, and is never closed here. */
  public static ClientTransport of(ScriptTransport transport, BooleanSupplier open) {
    return new ClientTransport(transport, open, () -> {});
  }
}
