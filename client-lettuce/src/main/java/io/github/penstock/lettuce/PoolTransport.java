package io.github.penstock.lettuce;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.AnswerWatch;
import io.github.penstock.core.spi.AsyncScriptTransport;
import io.github.penstock.core.spi.EventLoopWatch;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.support.AsyncPool;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls over the connections of a pool: each call or batch has one until it is answered or given
 * up. The caller with the last answer finds the connection in the pool again. Safe for use by
 * several threads.
 */
final class PoolTransport implements AsyncScriptTransport {
  private final AsyncPool<StatefulConnection<byte[], byte[]>> pool;
  private final EventLoopWatch loops;
  private final AnswerWatch watch;
  private final AtomicLong answers = new AtomicLong();
  private final AtomicInteger lent = new AtomicInteger();

  /**
   * Calls over the pool's connections.
   *
   * @param deadline of the calls
   */
  PoolTransport(AsyncPool<StatefulConnection<byte[], byte[]>> pool, Duration deadline) {
    this.pool = pool;
    loops = new EventLoopWatch(deadline);
    watch = new AnswerWatch(deadline, loops);
  }

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    ScriptCommand command = ScriptCommand.of(call, loops);
    write(List.of(command));
    return command;
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    List<ScriptCommand> commands =
        calls.stream().map(call -> ScriptCommand.of(call, loops)).toList();
    write(commands);
    return commands;
  }

  /** A pool that is full is overloaded, if the server answers; its calls wait nevertheless. */
  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return thrown instanceof NoSuchElementException full
            && watch.full(answers.get(), full).isOverloaded()
        ? TransportFailure.of(FailureKind.OVERLOADED)
        : ScriptCommand.failureOf(thrown);
  }

  @Override
  public boolean hasRead(long untilNanos) {
    return loops.hasRead(untilNanos);
  }

  @Override
  public Object node(ScriptCall call) {
    return "the server";
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return pool.acquire()
        .thenCompose(
            connection ->
                ConnectionTransport.loadFunctions(connection, library)
                    .whenComplete((answer, failure) -> pool.release(connection)));
  }

  private void write(List<ScriptCommand> commands) {
    lend(
        connection -> {
          watch.sending(answers.get(), lent.getAndIncrement() == 0);
          CompletableFuture.allOf(
                  commands.stream().map(this::end).toArray(CompletableFuture[]::new))
              .whenComplete((nothing, failure) -> release(connection));
          ScriptCommand.write(connection, commands);
        },
        failure -> ScriptCommand.failAll(commands, failure));
  }

  /** Completes when the command is abandoned, or answered: then before its waiters continue. */
  private CompletableFuture<?> end(ScriptCommand command) {
    CompletableFuture<?> end = new CompletableFuture<>();
    command
        .onAnswer(
            () -> {
              answers.incrementAndGet();
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
                otherwise.accept(told(failure));
              }
            });
  }

  /* A pool that is open fails by other exceptions; one that is closed stays so. */
  private static Throwable told(Throwable failure) {
    return TransportFailure.unwrapped(failure) instanceof IllegalStateException closed
        ? new MisconfiguredException("the pool that was passed in is closed", closed)
        : failure;
  }
}
