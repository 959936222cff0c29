package io.github.penstock.lettuce;

import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.ScriptCall;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.support.AsyncPool;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls over the connections of a pool: each call or batch has one until it is answered or given
 * up. Whoever has the last answer finds the connection in the pool again. Safe for use by several
 * threads.
 */
record PoolPort(AsyncPool<StatefulConnection<byte[], byte[]>> pool) implements AsyncScriptPort {
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
  public @Nullable String serverError(Throwable failure) {
    return ScriptCommand.serverError(failure);
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
                new ConnectionPort(connection)
                    .loadFunctions(library)
                    .whenComplete((answer, failure) -> pool.release(connection)));
  }

  private void write(List<ScriptCommand> commands) {
    lend(
        connection -> {
          CompletableFuture.allOf(
                  commands.stream().map(PoolPort::end).toArray(CompletableFuture[]::new))
              .whenComplete((nothing, failure) -> pool.release(connection));
          ScriptCommand.write(connection, commands);
        },
        failure -> ScriptCommand.failAll(commands, failure));
  }

  /** Done when the command is given up, or answered: then before those who wait for it go on. */
  private static CompletableFuture<?> end(ScriptCommand command) {
    CompletableFuture<?> end = new CompletableFuture<>();
    command
        .onAnswer(() -> end.complete(null))
        .whenComplete((answer, failure) -> end.complete(null));
    return end;
  }

  private void lend(
      Consumer<StatefulConnection<byte[], byte[]>> use, Consumer<Throwable> otherwise) {
    pool.acquire()
        .whenComplete(
            (connection, failure) -> {
              if (failure == null) {
                use.accept(connection);
              } else {
                otherwise.accept(failure);
              }
            });
  }
}
