package io.github.penstock.core.internal.engine;

import io.github.penstock.core.internal.node.CheckMeanings;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NodeChecks;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks that are sent through the client itself, behind its calls ({@link
 * io.github.penstock.core.RateLimiterOptions#verdictConnection}). One that finds no connection is
 * silent, unless calls are answered. Safe for use by several threads.
 */
public final class ClientChecks implements NodeChecks {
  /* Longer than any silence that counts. */
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ScriptTransport transport;
  private final TimeSource time;
  private final CheckMeanings meanings;

  public ClientChecks(ScriptTransport transport, TimeSource time, CheckMeanings meanings) {
    this.transport = transport;
    this.time = time;
    this.meanings = meanings;
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return transport.node(call);
  }

  @Override
  public boolean checksNodes() {
    return transport.checksNodes();
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    return new ClientCheck();
  }

  /** Sends each check as a call. */
  private final class ClientCheck implements CheckConnection {
    private @Nullable ScriptCall check;

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
          return transport.send(written);
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
}
