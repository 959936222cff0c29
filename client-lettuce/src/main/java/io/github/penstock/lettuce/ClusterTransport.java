package io.github.penstock.lettuce;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls over a connection to a cluster. Safe for use by several threads.
 *
 * <p>A charge goes straight to its master's connection, a batch with one flush for each master. A
 * master's connection is awaited before a call is handed over, because Lettuce would make the call
 * wait in a queue or, where it rejects commands while disconnected, fail it.
 */
final class ClusterTransport implements ScriptTransport {
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Map<String, AtomicLong> heardNanos = new ConcurrentHashMap<>();
  private final SlotRedirects redirects;
  private final @Nullable CheckClient checks;
  private final ReconnectFailures failures;

  /**
   * Calls over a connection.
   *
   * @param failures of the client
   * @param checks opens connections for the check; null for the connections of calls
   */
  ClusterTransport(
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      ReconnectFailures failures,
      @Nullable CheckClient checks) {
    this.cluster = cluster;
    this.checks = checks;
    this.failures = failures;
    redirects = new SlotRedirects(cluster);
  }

  @Override
  public CompletionStage<?> send(ScriptCall call) {
    ScriptCommand command = ScriptCommand.of(call);
    if (call.verb().readOnly()) {
      redirects.byLettuce(command);
    } else {
      send(master(call), List.of(command.onRedirect(redirects)));
    }
    return command;
  }

  @Override
  public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
    List<ScriptCommand> commands = new ArrayList<>(calls.size());
    Map<@Nullable RedisClusterNode, List<ScriptCommand>> groups = new HashMap<>();
    for (ScriptCall call : calls) {
      ScriptCommand command = ScriptCommand.of(call).onRedirect(redirects);
      commands.add(command);
      groups.computeIfAbsent(master(call), node -> new ArrayList<>()).add(command);
    }
    groups.forEach(this::send);
    return commands;
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return ScriptCommand.failureOf(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return true;
  }

  @Override
  public boolean ordersCalls() {
    return true;
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    RedisClusterNode master = master(call);
    return master == null ? null : master.getUri().getHost() + ":" + master.getUri().getPort();
  }

  @Override
  public boolean checksNodes() {
    return true;
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    RedisClusterNode master = master(call);
    if (master == null) {
      throw noMaster();
    }
    if (checks != null) {
      return checks.open(master.getUri());
    }
    StatefulRedisConnection<byte[], byte[]> connection = redirects.connection(master).join();
    return LettuceCheck.shared(
        command -> ScriptCommand.write(connection, List.of(command)), heardNanos(master));
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    return CompletableFuture.allOf(
        cluster.getPartitions().stream()
            .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
            .map(redirects::connection)
            .map(master -> master.thenCompose(to -> ConnectionTransport.loadFunctions(to, library)))
            .toArray(CompletableFuture[]::new));
  }

  private void send(@Nullable RedisClusterNode node, List<ScriptCommand> commands) {
    MisconfiguredException closed = GivenConnections.closed(cluster);
    if (closed != null) {
      ScriptCommand.failAll(commands, closed);
      return;
    }
    if (node == null) {
      ScriptCommand.failAll(commands, noMaster());
      return;
    }
    if (checks == null) {
      AtomicLong heardNanos = heardNanos(node);
      commands.forEach(command -> command.onAnswer(() -> heardNanos.set(System.nanoTime())));
    }
    redirects
        .connection(node)
        .whenComplete(
            (master, failure) -> {
              if (failure != null) {
                ScriptCommand.failAll(commands, failure);
              } else if (master.isOpen()) {
                ScriptCommand.write(master, commands);
              } else {
                RedisURI lost = node.getUri();
                ScriptCommand.failAll(commands, failures.lost(lost.getHost(), lost.getPort()));
              }
            });
  }

  private AtomicLong heardNanos(RedisClusterNode node) {
    return heardNanos.computeIfAbsent(node.getNodeId(), first -> new AtomicLong(System.nanoTime()));
  }

  private static RedisException noMaster() {
    return new RedisException("no master is known for the key's slot");
  }

  private @Nullable RedisClusterNode master(ScriptCall call) {
    return redirects.owner(SlotHash.getSlot(call.key()));
  }
}
