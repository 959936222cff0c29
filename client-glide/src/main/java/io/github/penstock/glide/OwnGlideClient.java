package io.github.penstock.glide;

import glide.api.GlideClient;
import glide.api.models.Batch;
import glide.api.models.commands.batch.BatchOptions;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.exceptions.ClosingException;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.connecting.ClientTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the client of a single server, and another one once that is dropped. For one thread at a
 * time, except for {@link #close}.
 *
 * <p>A client is made without a connection, and its first command connects: of a connection that
 * cannot be made, {@code createClient} itself says only that it failed, also of a wrong password.
 */
final class OwnGlideClient implements Supplier<ClientTransport> {
  private static final long REPLICA_NANOS = TimeUnit.SECONDS.toNanos(1);

  /* Core gives up before: a silent server is not one that refuses connections. */
  private static final int CHECK_MILLIS = (int) TimeUnit.SECONDS.toMillis(10);

  private final IntFunction<GlideClientConfiguration> configuration;
  private final Duration deadline;
  private final int connecting;
  private final @Nullable RespProbe probe;
  private @Nullable GlideClient latest;

  /**
   * A client that is not made yet.
   *
   * @param configuration of a time for connecting, in ms; connects lazily
   * @param connecting how long connecting may take, in ms
   * @param probe checks a peer whose connection ends during the handshake; null for no check
   */
  OwnGlideClient(
      IntFunction<GlideClientConfiguration> configuration,
      Duration deadline,
      int connecting,
      @Nullable RespProbe probe) {
    this.configuration = configuration;
    this.deadline = deadline;
    this.connecting = connecting;
    this.probe = probe;
  }

  @Override
  public ClientTransport get() {
    GlideClient made;
    try {
      made = connected(connecting);
    } catch (RuntimeException e) {
      throw told(e);
    }
    replace(made);
    AtomicBoolean open = new AtomicBoolean(true);
    return new ClientTransport(
        GlideTransport.own(made, deadline, () -> open.set(false), this::check),
        open::get,
        this::close);
  }

  private CheckConnection check() {
    return GlideCheck.own(connected(CHECK_MILLIS));
  }

  private GlideClient connected(int millis) {
    GlideClient made = done(GlideClient.createClient(configuration.apply(millis)));
    try {
      BatchOptions timed = BatchOptions.builder().timeout(millis).build();
      done(made.exec(new Batch(false).ping(), true, timed));
      return made;
    } catch (RuntimeException e) {
      close(made);
      throw e;
    }
  }

  /* The previous client is closed only now, so that its calls may be answered. */
  private synchronized void replace(GlideClient made) {
    close();
    latest = made;
  }

  /** Closes the client that was made last, though it may be dropped already. */
  synchronized void close() {
    if (latest != null) {
      close(latest);
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

  static void close(GlideClient client) {
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
