package io.github.penstock.lettuce;

import io.github.penstock.core.spi.AsyncScriptTransport;
import io.github.penstock.core.spi.EventLoopWatch;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls over one connection that all share. Safe for use by several threads.
 *
 * @param connection of any codec, because commands encode themselves
 * @param backlog of the server
 * @param loops the event loops that write and read
 * @param lost the failure of a call while the connection is lost
 * @param peeks where calls go that only read; null for the same connection
 * @param renewal drops the connection
 */
record ConnectionTransport(
    StatefulConnection<byte[], byte[]> connection,
    CallBacklog backlog,
    EventLoopWatch loops,
    Supplier<? extends RuntimeException> lost,
    @Nullable ConnectionTransport peeks,
    Runnable renewal)
    implements AsyncScriptTransport {
  /** Over a connection of the application. */
  static ConnectionTransport given(
      StatefulConnection<byte[], byte[]> connection,
      Duration deadline,
      ReconnectFailures failures) {
    Supplier<RuntimeException> lost =
        () -> Objects.requireNonNullElseGet(GivenConnections.closed(connection), failures::lost);
    return of(connection, deadline, lost, null, () -> {});
  }

  /** Over a connection that is replaced when it is lost or dropped. */
  static ConnectionTransport own(
      StatefulConnection<byte[], byte[]> connection,
      Duration deadline,
      @Nullable ConnectionTransport peeks,
      Runnable drop) {
    return of(connection, deadline, () -> ReconnectFailures.lost(null), peeks, drop);
  }

  private static ConnectionTransport of(
      StatefulConnection<byte[], byte[]> connection,
      Duration deadline,
      Supplier<? extends RuntimeException> lost,
      @Nullable ConnectionTransport peeks,
      Runnable drop) {
    EventLoopWatch loops = new EventLoopWatch(deadline);
    return new ConnectionTransport(
        connection, new CallBacklog(deadline, loops), loops, lost, peeks, drop);
  }

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    ScriptCommand command = ScriptCommand.of(call, loops);
    (peeks != null && call.verb().readOnly() ? peeks : this).write(List.of(command));
    return command;
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    List<ScriptCommand> commands =
        calls.stream().map(call -> ScriptCommand.of(call, loops)).toList();
    write(commands);
    return commands;
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return ScriptCommand.failureOf(thrown);
  }

  @Override
  public boolean hasRead(long untilNanos) {
    return loops.hasRead(untilNanos);
  }

  @Override
  public void renew(ScriptCall call) {
    renewal.run();
  }

  @Override
  public Object node(ScriptCall call) {
    return "the server";
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return loadFunctions(connection, library);
  }

  static CompletionStage<?> loadFunctions(
      StatefulConnection<byte[], byte[]> connection, String library) {
    CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    arguments.add("LOAD").add("REPLACE").add(library);
    AsyncCommand<byte[], byte[], List<Object>> load =
        new AsyncCommand<>(
            new Command<>(
                CommandKeyword.FUNCTION,
                new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
                arguments));
    connection.dispatch(load);
    return load;
  }

  private void write(List<ScriptCommand> commands) {
    if (connection.isOpen()) {
      ScriptCommand.write(connection, backlog, commands);
    } else {
      ScriptCommand.failAll(commands, lost.get());
    }
  }
}
