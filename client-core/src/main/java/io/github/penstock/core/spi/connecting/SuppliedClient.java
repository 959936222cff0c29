package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.internal.waiting.DaemonThreads;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that a supplier creates or returns: requested immediately, so that a first call finds
 * it, and again when that client is closed. Safe for use by several threads.
 *
 * <p>The supplier may block, so it is called on a separate thread, one call at a time; limiter
 * calls do not wait for it. After a failure, or something that is closed, it rests for 10 ms, twice
 * as long each time and at most 320 ms.
 */
final class SuppliedClient {
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
  private final TimeSource time;
  private final long madeNanos;
  private final AtomicReference<Asking> latest;
  private volatile boolean closed;

  SuppliedClient(Supplier<ClientTransport> supplier, TimeSource time) {
    this.supplier = supplier;
    this.time = time;
    madeNanos = time.nanos();
    latest = new AtomicReference<>(Asking.first(time));
    ask(Objects.requireNonNull(latest.get()));
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

  /**
   * The transport, as it is now.
   *
   * @throws NotSentException if no client is open now; the supplier is called
   * @throws MisconfiguredException if the supplier made a mistake; it is called again
   */
  ScriptTransport transport() {
    Asking asked = Objects.requireNonNull(latest.get());
    if (asked.isHad() && asked.join().open().getAsBoolean()) {
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

  private RuntimeException reason(Asking asked) {
    RuntimeException reason = asked.reason();
    return reason instanceof ConnectingException && time.nanos() - madeNanos >= CONNECTING_NANOS
        ? new IllegalStateException("the first connection has not been made for 4.2 s")
        : reason;
  }

  /** Runs a function with the transport, unless there is none now. */
  void ifOpen(Consumer<ScriptTransport> action) {
    Asking asked = Objects.requireNonNull(latest.get());
    if (asked.isHad() && asked.join().open().getAsBoolean()) {
      action.accept(asked.join().transport());
    }
  }

  /** Whether this holds for the latest transport; true while there never was one. */
  boolean holds(Predicate<ScriptTransport> ofTransport) {
    Asking asked = Objects.requireNonNull(latest.get());
    return !asked.isHad() || ofTransport.test(asked.join().transport());
  }

  /** Whether this holds for the latest transport; false while there never was one. */
  boolean everHeld(Predicate<ScriptTransport> ofTransport) {
    ScriptTransport known = Objects.requireNonNull(latest.get()).knownTransport();
    return known != null && ofTransport.test(known);
  }

  /** A node of the transport, or of the one before; if there never was one all nodes are one. */
  @Nullable Object node(Function<ScriptTransport, @Nullable Object> ofTransport) {
    ScriptTransport known = Objects.requireNonNull(latest.get()).knownTransport();
    return known == null ? NO_CLIENT : ofTransport.apply(known);
  }

  /**
   * The transport, as soon as a client is open, for operations that are not calls and have no
   * deadline.
   *
   * @throws RuntimeException the reason for a missing client after 10 s
   */
  ScriptTransport awaitTransport() {
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

  /**
   * Closes the client, now or as soon as it exists; the supplier is not called again.
   *
   * @param connecting how long to wait for a client that is being made, at most; it is closed
   *     afterwards nevertheless
   * @throws RuntimeException an exception of closing until then
   */
  void close(Duration connecting) {
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
