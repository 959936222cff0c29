package io.github.penstock.lettuce;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows MOVED and ASK, and remembers the owner of a slot until Lettuce has noticed. Safe for use
 * by several threads.
 */
final class SlotRedirects implements BiConsumer<ScriptCommand, String> {
  /*
   * Lettuce follows them, too, but writes ASKING and the command that it is for as two: another
   * thread's command may come between, and then that command, which was not redirected, is run by a
   * node that does not own the slot yet. Two nodes then hold the same key and both admit calls.
   * Here ASKING and its command are written by the thread that does all writing of a connection,
   * where nothing comes between: that is the thread that completes a PING.
   */
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Map<Integer, Moved> moved = new ConcurrentHashMap<>();

  /** The owner of a slot, and the view of the cluster that did not know it. */
  private record Moved(RedisClusterNode owner, @Nullable RedisClusterNode before) {}

  SlotRedirects(StatefulRedisClusterConnection<byte[], byte[]> cluster) {
    this.cluster = cluster;
  }

  /** The owner of a slot, as far as it is known. */
  @Nullable RedisClusterNode owner(int slot) {
    RedisClusterNode known = cluster.getPartitions().getPartitionBySlot(slot);
    Moved found = moved.isEmpty() ? null : moved.get(slot);
    if (found == null) {
      return known;
    }
    if (Objects.equals(known, found.before)) {
      return found.owner;
    }
    moved.remove(slot, found);
    return known;
  }

  CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection(RedisClusterNode node) {
    try {
      return cluster.getConnectionAsync(node.getUri().getHost(), node.getUri().getPort());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Sends a command that may go to a replica, or to a node that is not known yet. */
  void byLettuce(ScriptCommand command) {
    ScriptCommand.write(cluster, List.of(command));
  }

  /** Follows {@code MOVED slot host:port} or {@code ASK slot host:port}. */
  @Override
  public void accept(ScriptCommand command, String where) {
    String[] words = where.split(" ");
    RedisClusterNode target = node(words[2]);
    if (target == null) {
      byLettuce(command);
      return;
    }
    boolean ask = words[0].equals("ASK");
    if (!ask) {
      remember(Integer.parseInt(words[1]), target);
    }
    connection(target)
        .whenComplete(
            (node, failure) -> {
              if (failure != null) {
                command.completeExceptionally(failure);
              } else if (ask) {
                ask(node, command);
              } else {
                ScriptCommand.write(node, List.of(command));
              }
            });
  }

  private void remember(int slot, RedisClusterNode owner) {
    moved.put(slot, new Moved(owner, cluster.getPartitions().getPartitionBySlot(slot)));
  }

  private @Nullable RedisClusterNode node(String address) {
    int colon = address.lastIndexOf(':');
    int port = Integer.parseInt(address.substring(colon + 1));
    return cluster.getPartitions().getPartition(address.substring(0, colon), port);
  }

  private static void ask(StatefulRedisConnection<byte[], byte[]> node, ScriptCommand command) {
    AsyncCommand<byte[], byte[], List<Object>> ping = plain(CommandType.PING);
    ping.whenComplete(
        (pong, failure) -> {
          if (failure == null) {
            node.dispatch(List.of(plain(CommandType.ASKING), command));
          } else {
            command.completeExceptionally(failure);
          }
        });
    node.dispatch(ping);
  }

  private static AsyncCommand<byte[], byte[], List<Object>> plain(CommandType type) {
    return new AsyncCommand<>(
        new Command<>(type, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), null));
  }
}
