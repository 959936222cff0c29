package io.github.penstock.core.spi.connecting;

import java.util.function.BooleanSupplier;

/**
 * A transport and the client behind it.
 *
 * @param transport calls through the client
 * @param open whether the client can still be used; asked before each call
 * @param close closes the client, if it was made for this transport
 */
public record ClientTransport<P>(P transport, BooleanSupplier open, Runnable close) {
  /** A transport whose client belongs to the application, and is never closed here. */
  public static <P> ClientTransport<P> of(P transport, BooleanSupplier open) {
    return new ClientTransport<>(transport, open, () -> {});
  }
}
