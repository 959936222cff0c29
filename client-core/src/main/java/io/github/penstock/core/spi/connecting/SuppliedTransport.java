package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.internal.waiting.DaemonThreads;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transport through a client that a supplier makes or hands out: asked for at once, so that a
 * first call finds it, and again once that client is closed. Safe for use by several threads.
 *
 * <p>The supplier may block, so it is called on a separate thread, one call at a time; limiter
 * calls do not wait for it. After a failure, or something that is closed, it rests for 10 ms, twice
 * as long each time and at most 320 ms.
 */
public final class SuppliedTransport implements ScriptTransport {
  /**
   * The node of all calls while there never was a client. It has a separate circuit, so that calls
   * go to the server as soon as it is connected.
   */
  private static final Object NO_CLIENT = "the server, which is not connected,";

  /* As long as a process that starts may take to learn of an outage (rule F2.1). */
  private static final long CONNECTING_NANOS = TimeUnit.MILLISECONDS.toNanos(4_200);

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LOADING_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_DOUBLINGS = 5;
  private final Supplier<ClientTransport> supplier;
  private final Function<Throwable, @Nullable TransportFailure> failure;
  private final TimeSource time;
  private final long madeNanos;
  private final AtomicReference<Asking> latest;
  private volatile boolean closed;

  /**
   * Calls through the client that {@code supplier} returns; it may block and may throw.
   *
   * @param failure {@link ScriptTransport#failure} of any of its transports
   */
  public SuppliedTransport(
      Supplier<ClientTransport> supplier, Function<Throwable, @Nullable TransportFailure> failure) {
    this(supplier, failure, TimeSource.SYSTEM);
  }

  /** The variant with clocks other than the machine's. */
  public SuppliedTransport(
      Supplier<ClientTransport> supplier,
      Function<Throwable, @Nullable TransportFailure> failure,
      TimeSource time) {
    this.supplier = supplier;
    this.failure = failure;
    this.time = time;
    madeNanos = time.nanos();
    latest = new AtomicReference<>(Asking.first(time));
    ask(latest());
  }

  /** One call of the supplier. */
  private static final class Asking extends CompletableFuture<ClientTransport> {
    private final int failuresBefore;
    private final RuntimeException lastReason;
    private final @Nullable ScriptTransport lastTransport;
    private volatile long endedNanos;

    Asking(
        int failuresBefore, RuntimeException lastReason, @Nullable ScriptTransport lastTransport) {
      this.failuresBefore = failuresBefore;
      this.lastReason = lastReason;
      this.lastTransport = lastTransport;
    }

    static Asking first(TimeSource time) {
      RuntimeException reason = new ConnectingException();
      Asking nobody = new Asking(-1, reason, null);
      nobody.endedNanos = time.nanos() - REST_NANOS;
      nobody.completeExceptionally(reason);
      return nobody;
    }

    Asking next() {
      return new Asking(
          isCompletedExceptionally() ? failuresBefore + 1 : 0, reason(), knownTransport());
    }

    boolean isHad() {
      return isDone() && !isCompletedExceptionally();
    }

    boolean isOpen() {
      return isHad() && join().open().getAsBoolean();
    }

    /** The transport, or the one before, whose client is closed or lost. */
    @Nullable ScriptTransport knownTransport() {
      return isHad() ? join().transport() : lastTransport;
    }

    boolean hasRested(long nowNanos) {
      long rest = REST_NANOS << Math.max(0, Math.min(MOST_DOUBLINGS, failuresBefore));
      return isDone() && nowNanos - endedNanos >= rest;
    }

    private @Nullable Throwable failure(@Nullable Throwable whileAsking) {
      return handle((had, thrown) -> thrown).getNow(whileAsking);
    }

    /** A mistake that waiting cannot fix, such as a client that is too old; null without one. */
    @Nullable MisconfiguredException mistake() {
      Throwable failure = failure(null);
      return failure instanceof Error
              || failure instanceof ClassCastException
              || failure instanceof IllegalArgumentException
                  && !(failure instanceof UnresolvedAddressException)
          ? new MisconfiguredException(
              "there is no client to ask: " + failure.getMessage(), failure)
          : null;
    }

    /** The reason for the missing client: if the supplier failed, its exception. */
    RuntimeException reason() {
      Throwable failure = failure(lastReason);
      if (failure == null) {
        return new IllegalStateException("the client is closed or not connected");
      }
      return failure instanceof RuntimeException known ? known : new CompletionException(failure);
    }
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    return transport().send(call);
  }

  @Override
  public List<? extends CompletionStage<? extends @Nullable Object>> sendAll(
      List<ScriptCall> calls) {
    return transport().sendAll(calls);
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.supplyAsync(this::awaitTransport)
        .thenCompose(transport -> transport.loadFunctions(library));
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return failure.apply(thrown);
  }

  @Override
  public boolean followsRedirects() {
    Asking asked = latest();
    return !asked.isHad() || asked.join().transport().followsRedirects();
  }

  @Override
  public boolean ordersCalls() {
    ScriptTransport known = latest().knownTransport();
    return known != null && known.ordersCalls();
  }

  @Override
  public void renew(ScriptCall call) {
    Asking asked = latest();
    if (asked.isOpen()) {
      asked.join().transport().renew(call);
    }
  }

  @Override
  public boolean opens(ScriptCall call, boolean silent) {
    return transport().opens(call, silent);
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    ScriptTransport known = latest().knownTransport();
    return known == null ? NO_CLIENT : known.node(call);
  }

  @Override
  public boolean checksNodes() {
    ScriptTransport known = latest().knownTransport();
    return known != null && known.checksNodes();
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    CheckConnection made = transport().openCheck(call);
    return made.carriesCalls() ? new CurrentCheck(made) : made;
  }

  /** A check through the client that there is now, which carries calls, too. */
  private final class CurrentCheck implements CheckConnection {
    private volatile CheckConnection latest;

    CurrentCheck(CheckConnection made) {
      latest = made;
    }

    @Override
    public void write(ScriptCall call) {
      latest = transport().openCheck(call);
      latest.write(call);
    }

    @Override
    public @Nullable Object read() {
      return latest.read();
    }

    @Override
    public boolean carriesCalls() {
      return true;
    }

    @Override
    public long heardNanos() {
      return latest.heardNanos();
    }

    @Override
    public boolean afterReading(Runnable task) {
      return latest.afterReading(task);
    }

    @Override
    public void close() {
      latest.close();
    }
  }

  /**
   * The transport, as it is now.
   *
   * @throws NotSentException if no client is open now; the supplier is called
   * @throws MisconfiguredException if the supplier made a mistake; it is called again
   */
  private ScriptTransport transport() {
    Asking asked = latest();
    if (asked.isOpen()) {
      return asked.join().transport();
    }
    if (closed) {
      throw new NotSentException(new IllegalStateException("these limiters are closed"));
    }
    if (asked.hasRested(time.nanos())) {
      ask(asked);
    }
    RuntimeException mistake = asked.mistake();
    throw mistake == null ? NotSentException.notConnected(reason(asked)) : mistake;
  }

  /* A first client that is not made in time tells nothing of the server for 4.2 s. */
  private RuntimeException reason(Asking asked) {
    RuntimeException reason = asked.reason();
    boolean starts = asked.knownTransport() == null && time.nanos() - madeNanos < CONNECTING_NANOS;
    if (reason instanceof ConnectingException) {
      return starts
          ? reason
          : new IllegalStateException("the first connection has not been made for 4.2 s");
    }
    return starts && TransportFailure.isLate(reason) ? new ConnectingException() : reason;
  }

  /**
   * The transport, as soon as a client is open, for operations that are not calls and have no
   * deadline.
   *
   * @throws RuntimeException the reason for a missing client after 10 s
   */
  private ScriptTransport awaitTransport() {
    ConnectionBackoff backoff = new ConnectionBackoff(time, time.nanos() + LOADING_NANOS);
    while (true) {
      try {
        return transport();
      } catch (NotSentException e) {
        if (!e.isNotConnected() || !backoff.beforeNext()) {
          throw e.reason();
        }
      }
    }
  }

  /** Closes the client if it was made for this; one that the application has stays open. */
  public void close() {
    close(Duration.ZERO);
  }

  /**
   * Like {@link #close()}, but first waits for a client that is being made; the supplier is not
   * called again.
   *
   * @param connecting how long to wait for that, at most; it is closed afterwards nevertheless
   * @throws RuntimeException an exception of closing until then
   */
  public void close(Duration connecting) {
    closed = true;
    CompletableFuture<?> closing =
        Objects.requireNonNull(latest.getAndSet(Asking.first(time)))
            .handle(
                (client, failure) -> {
                  if (failure == null) {
                    client.close().run();
                  }
                  return null;
                });
    ClientClosing.endsWithin(connecting, closing);
  }

  private Asking latest() {
    return Objects.requireNonNull(latest.get());
  }

  private void ask(Asking before) {
    Asking next = before.next();
    if (latest.compareAndSet(before, next)) {
      DaemonThreads.start(() -> fill(next), "penstock-connect");
    }
  }

  private void fill(Asking asking) {
    try {
      ClientTransport client = Objects.requireNonNull(supplier.get(), "the supplier returned null");
      asking.endedNanos = time.nanos();
      asking.complete(client);
    } catch (Throwable e) {
      asking.endedNanos = time.nanos();
      asking.completeExceptionally(e);
    }
  }
}
