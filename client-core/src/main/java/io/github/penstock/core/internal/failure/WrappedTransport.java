package io.github.penstock.core.internal.failure;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A transport around another one, which sends single calls in its own way and has all else from
 * that one. As safe for use by several threads as that one.
 */
public abstract class WrappedTransport implements ScriptTransport {
  /** The other one. */
  protected final ScriptTransport transport;

  protected WrappedTransport(ScriptTransport transport) {
    this.transport = transport;
  }

  @Override
  public final List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return transport.sendAll(calls);
  }

  @Override
  public final CompletionStage<?> loadFunctions(String library) {
    return transport.loadFunctions(library);
  }

  @Override
  public final @Nullable TransportFailure failure(Throwable thrown) {
    return transport.failure(thrown);
  }

  @Override
  public final boolean followsRedirects() {
    return transport.followsRedirects();
  }

  @Override
  public final void renew(ScriptCall call) {
    transport.renew(call);
  }

  @Override
  public final @Nullable Object node(ScriptCall call) {
    return transport.node(call);
  }

  @Override
  public final boolean checksNodes() {
    return transport.checksNodes();
  }

  @Override
  public final CheckConnection openCheck(ScriptCall call) {
    return transport.openCheck(call);
  }

  @Override
  public final boolean ordersCalls() {
    return transport.ordersCalls();
  }
}
