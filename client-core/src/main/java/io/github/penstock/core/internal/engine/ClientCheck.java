package io.github.penstock.core.internal.engine;

import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.node.CheckedNode.CheckMeanings;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A check that is sent as a call, through the client itself, behind its calls ({@link
 * io.github.penstock.core.RateLimiterOptions#verdictConnection}). One that finds no connection is
 * silent, unless calls are answered.
 */
public final class ClientCheck implements CheckConnection {
  /* Longer than any silence that counts. */
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ScriptTransport transport;
  private final TimeSource time;
  private final CheckMeanings meanings;
  private @Nullable ScriptCall check;

  public ClientCheck(ScriptTransport transport, TimeSource time, CheckMeanings meanings) {
    this.transport = transport;
    this.time = time;
    this.meanings = meanings;
  }

  @Override
  public void write(ScriptCall call) {
    check = call.until(time.nanos() + DEADLINE_NANOS);
  }

  @Override
  public @Nullable Object read() {
    ScriptCall written = check;
    if (written == null) {
      throw new IllegalStateException("no check was written");
    }
    ConnectionBackoff backoff = new ConnectionBackoff(time, written.deadlineNanos());
    while (true) {
      try {
        return TransportStages.await(transport.send(written), written.deadlineNanos(), time);
      } catch (NotSentException e) {
        if (meanings.refusal(e) != null || !backoff.beforeNext()) {
          throw e;
        }
      }
    }
  }

  @Override
  public boolean carriesCalls() {
    return true;
  }

  /* The call ends at its deadline. */
  @Override
  public void close() {}
}
