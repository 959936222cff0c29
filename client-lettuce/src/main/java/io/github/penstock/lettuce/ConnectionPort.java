package io.github.penstock.lettuce;

import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.ScriptCall;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls over one connection that all share. Safe for use by several threads.
 *
 * @param connection whatever its codec, because commands encode themselves
 * @param backlog of the server
 */
record ConnectionPort(StatefulConnection<byte[], byte[]> connection, CallBacklog backlog)
    implements AsyncScriptPort {
  ConnectionPort(StatefulConnection<byte[], byte[]> connection) {
    this(connection, new CallBacklog());
  }

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    ScriptCommand command = ScriptCommand.of(call);
    ScriptCommand.write(connection, backlog, List.of(command));
    return command;
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    List<ScriptCommand> commands = calls.stream().map(ScriptCommand::of).toList();
    ScriptCommand.write(connection, backlog, commands);
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
}
