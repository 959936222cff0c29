package io.github.penstock.lettuce;

import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.ScriptCall;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls over a connection to a cluster. Safe for use by several threads.
 *
 * <p>Lettuce follows MOVED and ASK. A batch goes straight to its masters, one flush for each, and
 * what they answer with MOVED or ASK goes through Lettuce. A master's connection is awaited before
 * a call is handed over, because Lettuce would make the call wait in a queue or, where it rejects
 * commands while disconnected, fail it.
 */
record ClusterPort(StatefulRedisClusterConnection<byte[], byte[]> cluster)
    implements AsyncScriptPort {

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    ScriptCommand command = ScriptCommand.of(call);
    if (call.verb().readOnly()) {
      follow(command);
    } else {
      connection(master(call.key()))
          .whenComplete((master, failure) -> send(command, master, failure));
    }
    return command;
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    List<ScriptCommand> commands = new ArrayList<>(calls.size());
    Map<@Nullable RedisURI, List<ScriptCommand>> groups = new HashMap<>();
    for (ScriptCall call : calls) {
      ScriptCommand command = ScriptCommand.of(call).onRedirect(this::follow);
      commands.add(command);
      groups.computeIfAbsent(master(call.key()), node -> new ArrayList<>()).add(command);
    }
    groups.forEach(
        (node, group) ->
            connection(node).whenComplete((master, failure) -> sendAll(group, master, failure)));
    return commands;
  }

  @Override
  public @Nullable String serverError(Throwable failure) {
    return ScriptCommand.serverError(failure);
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.allOf(
        cluster.getPartitions().stream()
            .filter(node -> node.is(RedisClusterNode.NodeFlag.MASTER))
            .map(node -> connection(node.getUri()))
            .map(master -> master.thenCompose(to -> new ConnectionPort(to).loadFunctions(library)))
            .toArray(CompletableFuture[]::new));
  }

  private void send(
      ScriptCommand command,
      @Nullable StatefulRedisConnection<byte[], byte[]> master,
      @Nullable Throwable failure) {
    if (master == null || !master.isOpen()) {
      sendAll(List.of(command), master, failure);
    } else {
      follow(command);
    }
  }

  private void sendAll(
      List<ScriptCommand> commands,
      @Nullable StatefulRedisConnection<byte[], byte[]> master,
      @Nullable Throwable failure) {
    if (master == null) {
      ScriptCommand.failAll(
          commands, failure == null ? new RedisException("no connection") : failure);
    } else {
      ScriptCommand.writeIfOpen(master, commands);
    }
  }

  private void follow(ScriptCommand command) {
    ScriptCommand.write(cluster, List.of(command));
  }

  private @Nullable RedisURI master(byte[] key) {
    RedisClusterNode master = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
    return master == null ? null : master.getUri();
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection(
      @Nullable RedisURI node) {
    if (node == null) {
      return CompletableFuture.failedFuture(
          new RedisException("no master is known for the slot of the key"));
    }
    try {
      return cluster.getConnectionAsync(node.getHost(), node.getPort());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
