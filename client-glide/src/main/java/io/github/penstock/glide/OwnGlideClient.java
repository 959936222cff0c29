package io.github.penstock.glide;

import glide.api.GlideClient;
import glide.api.models.Batch;
import glide.api.models.commands.batch.BatchOptions;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.exceptions.ClosingException;
import io.github.penstock.core.spi.AsyncScriptTransport;
import io.github.penstock.core.spi.ClientTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the client of a single server, and another one once that is dropped. For one thread at a
 * time, except for {@link #close}.
 *
 * <p>A client is made without a connection, and its first command connects: of a connection that
 * cannot be made, {@code createClient} itself says only that it failed, also of a wrong password.
 */
final class OwnGlideClient implements Supplier<ClientTransport<AsyncScriptTransport>> {
  private static final long REPLICA_NANOS = TimeUnit.SECONDS.toNanos(1);
  private final GlideClientConfiguration configuration;
  private final Duration deadline;
  private final BatchOptions connecting;
  private final @Nullable RespProbe probe;
  private @Nullable GlideClient latest;

  /**
   * A client that is not made yet.
   *
   * @param configuration connects lazily
   * @param connecting how long connecting may take, in ms
   * @param probe checks a peer whose connection ends during the handshake; null for no check
   */
  OwnGlideClient(
      GlideClientConfiguration configuration,
      Duration deadline,
      int connecting,
      @Nullable RespProbe probe) {
    this.configuration = configuration;
    this.deadline = deadline;
    this.connecting = BatchOptions.builder().timeout(connecting).build();
    this.probe = probe;
  }

  @Override
  public ClientTransport<AsyncScriptTransport> get() {
    GlideClient made = done(GlideClient.createClient(configuration));
    try {
      done(made.exec(new Batch(false).ping(), true, connecting));
    } catch (RuntimeException e) {
      closed(made);
      throw told(e);
    }
    replace(made);
    AtomicBoolean open = new AtomicBoolean(true);
    return new ClientTransport<>(
        new GlideTransport(made, deadline, () -> open.set(false)), open::get, this::close);
  }

  /* The previous client is closed only now, so that its calls may be answered. */
  private synchronized void replace(GlideClient made) {
    close();
    latest = made;
  }

  /** Closes the client that was made last, though it may be dropped already. */
  synchronized void close() {
    if (latest != null) {
      closed(latest);
      latest = null;
    }
  }

  /* A replica is probed at most once a second, like one that a connection leads to. */
  private RuntimeException told(RuntimeException failure) {
    if (GlideFailures.isReplica(failure)) {
      LockSupport.parkNanos(REPLICA_NANOS);
    }
    return probe != null && GlideFailures.isEnded(failure) && probe.isForeign()
        ? GlideFailures.foreign()
        : failure;
  }

  private static void closed(GlideClient client) {
    try {
      client.close();
    } catch (ExecutionException e) {
      throw new ClosingException(String.valueOf(e.getCause()));
    }
  }

  private static <T> T done(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }
}
