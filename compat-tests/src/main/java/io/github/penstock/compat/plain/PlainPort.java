package io.github.penstock.compat.plain;

import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.testkit.resp.RedisUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call once over one of at most 64 sockets, and closes a socket whose reply did not
 * come, so that it is never read by another call. Safe for use by several threads.
 */
final class PlainPort implements ScriptPort, AutoCloseable {
  private static final int MOST_SOCKETS = 64;
  private static final long LOADING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RedisUrl url;
  private final Semaphore permits = new Semaphore(MOST_SOCKETS, true);
  private final Deque<PlainSocket> idle = new ConcurrentLinkedDeque<>();

  PlainPort(RedisUrl url) {
    this.url = url;
  }

  @Override
  public @Nullable Object send(ScriptCall call) {
    PortReply reply = sendAll(List.of(call)).get(0);
    if (reply.failure() != null) {
      throw reply.failure();
    }
    return reply.answer();
  }

  @Override
  public List<PortReply> sendAll(List<ScriptCall> calls) {
    long deadlineNanos = calls.get(0).deadlineNanos();
    PlainSocket socket;
    try {
      socket = taken(deadlineNanos);
    } catch (IOException e) {
      throw new NotSentException(new UncheckedIOException(e));
    } catch (PlainError refused) {
      throw new NotSentException(refused);
    }
    try {
      return exchange(socket, calls.stream().map(PlainPort::command).toList(), deadlineNanos);
    } finally {
      giveBack(socket);
    }
  }

  @Override
  public @Nullable String serverError(Throwable failure) {
    return failure instanceof PlainError ? failure.getMessage() : null;
  }

  @Override
  public void loadFunctions(String library) {
    long deadlineNanos = System.nanoTime() + LOADING_NANOS;
    try {
      PlainSocket socket = taken(deadlineNanos);
      List<Object> load = List.of("FUNCTION", "LOAD", "REPLACE", library);
      try {
        PortReply reply = exchange(socket, List.of(load), deadlineNanos).get(0);
        if (reply.failure() != null) {
          throw reply.failure();
        }
      } finally {
        giveBack(socket);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /* What breaks one socket has most likely broken those that lie idle, too. */
  private List<PortReply> exchange(
      PlainSocket socket, List<List<Object>> commands, long deadlineNanos) {
    List<PortReply> replies = new ArrayList<>(commands.size());
    try {
      socket.write(commands);
      for (int i = 0; i < commands.size(); i++) {
        Object answer = socket.read(deadlineNanos);
        replies.add(
            answer instanceof PlainError error ? PortReply.failed(error) : PortReply.of(answer));
      }
    } catch (IOException e) {
      socket.close();
      close();
      while (replies.size() < commands.size()) {
        replies.add(PortReply.failed(new UncheckedIOException(e)));
      }
    }
    return replies;
  }

  private PlainSocket taken(long deadlineNanos) throws IOException {
    try {
      if (!permits.tryAcquire(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new IOException("no socket was free within the deadline");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a socket", e);
    }
    PlainSocket socket = idle.pollFirst();
    try {
      return socket == null ? new PlainSocket(url, deadlineNanos) : socket;
    } catch (IOException | RuntimeException e) {
      permits.release();
      throw e;
    }
  }

  private void giveBack(PlainSocket socket) {
    if (socket.isOpen()) {
      idle.addFirst(socket);
    }
    permits.release();
  }

  private static List<Object> command(ScriptCall call) {
    List<Object> command = new ArrayList<>();
    command.addAll(List.of(call.verb().name(), call.target(), "1", call.key()));
    for (int i = 0; i < call.argumentCount(); i++) {
      command.add(call.argument(i));
    }
    return command;
  }

  @Override
  public void close() {
    for (PlainSocket socket = idle.poll(); socket != null; socket = idle.poll()) {
      socket.close();
    }
  }
}
