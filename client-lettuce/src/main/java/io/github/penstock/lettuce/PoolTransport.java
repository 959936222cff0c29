package io.github.penstock.lettuce;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.support.AsyncPool;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls over the connections of a pool: each call or batch has one until it is answered or given
 * up. The caller with the last answer finds the connection in the pool again. Safe for use by
 * several threads.
 */
final class PoolTransport implements ScriptTransport {
  private final AsyncPool<StatefulConnection<byte[], byte[]>> pool;
  private final AtomicLong heardNanos = new AtomicLong(System.nanoTime());
  private final AtomicInteger lent = new AtomicInteger();

  /** A check that found no connection free beside the calls: their next answer is its answer. */
  private final AtomicReference<@Nullable ScriptCommand> waiting = new AtomicReference<>();

  /** Calls over the pool's connections. */
  PoolTransport(AsyncPool<StatefulConnection<byte[], byte[]>> pool) {
    this.pool = pool;
  }

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    ScriptCommand command = ScriptCommand.of(call);
    write(List.of(command));
    return command;
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    List<ScriptCommand> commands = calls.stream().map(ScriptCommand::of).toList();
    write(commands);
    return commands;
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return ScriptCommand.failureOf(thrown);
  }

  @Override
  public boolean ordersCalls() {
    return true;
  }

  @Override
  public Object node(ScriptCall call) {
    return "the server";
  }

  @Override
  public boolean checksNodes() {
    return true;
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    return LettuceCheck.shared(this::writeCheck, heardNanos);
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return pool.acquire()
        .thenCompose(
            connection ->
                ConnectionTransport.loadFunctions(connection, library)
                    .whenComplete((answer, failure) -> pool.release(connection)));
  }

  /* The connection is free at once: what is written later is answered after the check. */
  private void writeCheck(ScriptCommand check) {
    lend(
        connection -> {
          ScriptCommand.write(connection, List.of(check));
          pool.release(connection);
        },
        failure -> {
          if (isExhausted(failure) && lent.get() > 0) {
            waiting.set(check);
          } else {
            check.completeExceptionally(told(failure));
          }
        });
  }

  private void write(List<ScriptCommand> commands) {
    lend(
        connection -> {
          lent.incrementAndGet();
          CompletableFuture.allOf(
                  commands.stream().map(this::end).toArray(CompletableFuture[]::new))
              .whenComplete((nothing, failure) -> release(connection));
          ScriptCommand.write(connection, commands);
        },
        failure -> ScriptCommand.failAll(commands, told(failure)));
  }

  /** Completes when the command is abandoned, or answered: then before its waiters continue. */
  private CompletableFuture<?> end(ScriptCommand command) {
    CompletableFuture<?> end = new CompletableFuture<>();
    command
        .onAnswer(
            () -> {
              heardNanos.set(System.nanoTime());
              ScriptCommand check = waiting.getAndSet(null);
              if (check != null) {
                check.complete(List.of());
              }
              end.complete(null);
            })
        .whenComplete((answer, failure) -> end.complete(null));
    return end;
  }

  private void release(StatefulConnection<byte[], byte[]> connection) {
    lent.decrementAndGet();
    pool.release(connection);
  }

  private void lend(
      Consumer<StatefulConnection<byte[], byte[]>> use, Consumer<Throwable> otherwise) {
    pool.acquire()
        .whenComplete(
            (connection, failure) -> {
              if (failure == null) {
                use.accept(connection);
              } else {
                otherwise.accept(TransportFailure.unwrapped(failure));
              }
            });
  }

  private static boolean isExhausted(Throwable failure) {
    return failure instanceof NoSuchElementException;
  }

  /* A pool that is open fails by other exceptions; one that is closed stays so. */
  private static Throwable told(Throwable failure) {
    if (failure instanceof IllegalStateException closed) {
      return new MisconfiguredException("the pool that was passed in is closed", closed);
    }
    return isExhausted(failure)
        ? new UnsentCallException("all connections of the pool are in use")
        : failure;
  }
}
