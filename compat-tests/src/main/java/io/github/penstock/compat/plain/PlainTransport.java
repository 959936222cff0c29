package io.github.penstock.compat.plain;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.resp.RespReader;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call once over one of at most 64 connections, and closes one whose reply did not come,
 * so that it is never read by another call. Safe for use by several threads.
 */
final class PlainTransport implements ScriptTransport, AutoCloseable {
  private static final int MOST_CONNECTIONS = 64;

  /* What fits into a socket's buffers: writing must not wait for a server that does not read. */
  private static final int FLIGHT = 256;

  /* Core gives a check up before. */
  private static final Duration CHECKING = Duration.ofMinutes(10);

  private static final long LOADING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RedisUrl url;
  private final Semaphore permits = new Semaphore(MOST_CONNECTIONS, true);
  private volatile Deque<RespConnection> idle = new ConcurrentLinkedDeque<>();

  PlainTransport(RedisUrl url) {
    this.url = url;
  }

  @Override
  public CompletionStage<@Nullable Object> send(ScriptCall call) {
    return sendAll(List.of(call)).get(0);
  }

  @Override
  public List<CompletionStage<@Nullable Object>> sendAll(List<ScriptCall> calls) {
    List<CompletionStage<@Nullable Object>> replies = new ArrayList<>(calls.size());
    while (replies.size() < calls.size()) {
      int end = Math.min(calls.size(), replies.size() + FLIGHT);
      replies.addAll(flown(calls.subList(replies.size(), end)));
    }
    return replies;
  }

  @Override
  public boolean ordersCalls() {
    return true;
  }

  private List<CompletionStage<@Nullable Object>> flown(List<ScriptCall> flight) {
    try {
      return exchange(
          flight.stream().map(PlainTransport::command).toList(), flight.get(0).deadlineNanos());
    } catch (NotSentException e) {
      return Collections.nCopies(flight.size(), CompletableFuture.failedFuture(e));
    }
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    if (thrown instanceof ProtocolException && RespReader.TLS.equals(thrown.getMessage())) {
      return TransportFailure.of(FailureKind.MISCONFIGURED);
    }
    return thrown instanceof PlainError || thrown instanceof ProtocolException
        ? TransportFailure.answered(thrown.getMessage())
        : null;
  }

  @Override
  public Object node(ScriptCall call) {
    return "the server";
  }

  @Override
  public boolean opens(ScriptCall call, boolean silent) {
    return idle.isEmpty() && permits.availablePermits() > 0;
  }

  @Override
  public boolean checksNodes() {
    return true;
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    return new PlainCheck(RespConnection.open(url, CHECKING));
  }

  /** A connection for the check. */
  private record PlainCheck(RespConnection connection) implements CheckConnection {
    @Override
    public void write(ScriptCall call) {
      connection.send(command(call));
    }

    @Override
    public @Nullable Object read() {
      Object answer = connection.receive();
      if (answer instanceof RespError error) {
        throw new PlainError(error.text());
      }
      return answer;
    }

    @Override
    public void close() {
      connection.close();
    }
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    String[] load = {"FUNCTION", "LOAD", "REPLACE", library};
    return exchange(List.<String[]>of(load), System.nanoTime() + LOADING_NANOS).get(0);
  }

  /* If one connection broke, the idle ones are most likely broken, too. */
  private List<CompletionStage<@Nullable Object>> exchange(
      List<String[]> commands, long deadlineNanos) {
    List<CompletionStage<@Nullable Object>> replies = new ArrayList<>(commands.size());
    Deque<RespConnection> pool = idle;
    RespConnection connection = taken(pool, deadlineNanos);
    try {
      commands.forEach(connection::send);
      while (replies.size() < commands.size()) {
        connection.awaitAtMost(Duration.ofNanos(deadlineNanos - System.nanoTime()));
        Object answer = connection.receive();
        replies.add(
            answer instanceof RespError error
                ? CompletableFuture.failedFuture(new PlainError(error.text()))
                : CompletableFuture.completedFuture(answer));
      }
      pool.addFirst(connection);
      if (pool != idle) {
        closeAll(pool);
      }
    } catch (UncheckedIOException failure) {
      connection.close();
      close();
      while (replies.size() < commands.size()) {
        replies.add(CompletableFuture.failedFuture(failure));
      }
    } finally {
      permits.release();
    }
    return replies;
  }

  private boolean permitted(long deadlineNanos) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return permits.tryAcquire(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private RespConnection taken(Deque<RespConnection> pool, long deadlineNanos) {
    if (deadlineNanos - System.nanoTime() <= 0) {
      throw new NotSentException(
          new IllegalStateException("not sent", new TimeoutException("the deadline has passed")));
    }
    if (!permitted(deadlineNanos)) {
      throw new NotSentException(
          new IllegalStateException(
              "no connection was free within the deadline", new TimeoutException("late")));
    }
    RespConnection connection = pool.pollFirst();
    try {
      return connection == null
          ? RespConnection.open(url, Duration.ofNanos(deadlineNanos - System.nanoTime()))
          : connection;
    } catch (UncheckedIOException e) {
      permits.release();
      throw NotSentException.notConnected(
          e.getCause() instanceof SocketTimeoutException late
              ? new IllegalStateException(e.getMessage(), new TimeoutException(late.getMessage()))
              : e);
    }
  }

  private static String[] command(ScriptCall call) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(call.verb().name(), call.targetText(), "" + call.keyCount()));
    for (int i = 0; i < call.keyCount(); i++) {
      words.add(new String(call.key(i), StandardCharsets.UTF_8));
    }
    for (int i = 0; i < call.argumentCount(); i++) {
      words.add(new String(call.argument(i), StandardCharsets.UTF_8));
    }
    return words.toArray(String[]::new);
  }

  @Override
  public void renew(ScriptCall call) {
    Deque<RespConnection> old = idle;
    idle = new ConcurrentLinkedDeque<>();
    closeAll(old);
  }

  @Override
  public void close() {
    closeAll(idle);
  }

  /** An error that the server answered. */
  private static final class PlainError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlainError(String text) {
      super(text, null, false, false);
    }
  }

  private static void closeAll(Deque<RespConnection> pool) {
    for (RespConnection next = pool.poll(); next != null; next = pool.poll()) {
      next.close();
    }
  }
}
