package io.github.penstock.core.connect;

import java.util.function.BooleanSupplier;

/**
 * A port and the client behind it.
 *
 * @param port calls through the client
 * @param open whether the client can still be used; asked before each call
 * @param close closes the client, if it was made for this port
 */
public record ClientPort<P>(P port, BooleanSupplier open, Runnable close) {
  /** A port whose client belongs to the application, and is never closed here. */
  public static <P> ClientPort<P> of(P port, BooleanSupplier open) {
    return new ClientPort<>(port, open, () -> {});
  }
}
