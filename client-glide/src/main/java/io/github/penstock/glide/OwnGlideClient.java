package io.github.penstock.glide;

import glide.api.GlideClient;
import glide.api.models.Batch;
import glide.api.models.commands.batch.BatchOptions;
import glide.api.models.configuration.GlideClientConfiguration;
import glide.api.models.exceptions.ClosingException;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.connecting.ClientTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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

  private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String RESP_TYPES = "+-:$*_,#!=(%~|>";

  private final IntFunction<GlideClientConfiguration> configuration;
  private final Duration deadline;
  private final int connecting;
  private final @Nullable InetSocketAddress probed;
  private @Nullable GlideClient latest;

  /**
   * A client that is not made yet.
   *
   * @param configuration of a time for connecting, in ms; connects lazily
   * @param connecting how long connecting may take, in ms
   * @param probed the address of a peer that is probed if its connection ends during the handshake;
   *     null for none
   */
  OwnGlideClient(
      IntFunction<GlideClientConfiguration> configuration,
      Duration deadline,
      int connecting,
      @Nullable InetSocketAddress probed) {
    this.configuration = configuration;
    this.deadline = deadline;
    this.connecting = connecting;
    this.probed = probed;
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
    return probed != null && GlideFailures.isEnded(failure) && isForeign(probed)
        ? GlideFailures.foreign()
        : failure;
  }

  /* Whether a peer answers PING with other data than RESP: GLIDE does not say whether any arrived. */
  private boolean isForeign(InetSocketAddress peer) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(peer.getHostString(), peer.getPort()), connecting);
      socket.setSoTimeout(connecting);
      socket.getOutputStream().write(PING);
      int first = socket.getInputStream().read();
      return first >= 0 && RESP_TYPES.indexOf(first) < 0;
    } catch (IOException e) {
      return false;
    }
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
