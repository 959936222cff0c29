package io.github.penstock.lettuce;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls over one connection that all share. Safe for use by several threads.
 *
 * @param connection of any codec, because commands encode themselves
 * @param heardNanos when a call was last answered
 * @param lost the failure of a call while the connection is lost
 * @param peeks where calls go that only read; null for the same connection
 * @param renewal drops the connection
 * @param check opens a connection for the check; null for the same connection
 */
record ConnectionTransport(
    StatefulConnection<byte[], byte[]> connection,
    AtomicLong heardNanos,
    Supplier<? extends RuntimeException> lost,
    @Nullable ConnectionTransport peeks,
    Runnable renewal,
    @Nullable Supplier<CheckConnection> check)
    implements ScriptTransport {
  /** Over a connection of the application. */
  static ConnectionTransport given(
      StatefulConnection<byte[], byte[]> connection, ReconnectFailures failures) {
    Supplier<RuntimeException> lost =
        () -> Objects.requireNonNullElseGet(GivenConnections.closed(connection), failures::lost);
    return new ConnectionTransport(
        connection, new AtomicLong(System.nanoTime()), lost, null, () -> {}, null);
  }

  /** Over a connection that is replaced when it is lost or dropped. */
  static ConnectionTransport own(
      StatefulConnection<byte[], byte[]> connection,
      @Nullable ConnectionTransport peeks,
      Runnable drop,
      @Nullable Supplier<CheckConnection> check) {
    return new ConnectionTransport(
        connection,
        new AtomicLong(System.nanoTime()),
        () -> ReconnectFailures.lost(null),
        peeks,
        drop,
        check);
  }

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    ScriptCommand command = ScriptCommand.of(call);
    (peeks != null && call.verb().readOnly() ? peeks : this).write(List.of(command));
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
  public void renew(ScriptCall call) {
    renewal.run();
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
    if (check != null) {
      return check.get();
    }
    if (!connection.isOpen()) {
      throw lost.get();
    }
    return LettuceCheck.shared(
        command -> ScriptCommand.write(connection, List.of(command)), heardNanos);
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
      if (check == null) {
        commands.forEach(command -> command.onAnswer(() -> heardNanos.set(System.nanoTime())));
      }
      ScriptCommand.write(connection, commands);
    } else {
      ScriptCommand.failAll(commands, lost.get());
    }
  }
}
